import { createContext, use, useDeferredValue, useSyncExternalStore } from 'react'
import { ownZone } from './zones'

/** The instant that the first render takes as the current time, in epoch milliseconds. */
export const PageTimeContext = createContext<number | null>(null)

/** The time of the first render, which server and browser share; only for that render. */
export function usePageTime(): number | null {
  return use(PageTimeContext)
}

const subscribeToNothing = () => () => undefined

/**
 * A value that only the browser has. On the server and while the page is hydrated it is
 * `serverValue`, so that both render the same; the browser's value follows in a transition. `read`
 * must return the same value until `subscribe` reports a change.
 */
export function useClientValue<Value extends string | number | boolean | null>(
  read: () => Value,
  serverValue: Value,
  subscribe: (onChange: () => void) => () => void = subscribeToNothing,
): Value {
  return useDeferredValue(useSyncExternalStore(subscribe, read, () => serverValue))
}

/** Whether the page is hydrated: false on the server and in the first render of its markup. */
export function useIsHydrated(): boolean {
  return useClientValue(() => true, false)
}

/** The visitor's time zone, an IANA name; null in the first render and if the browser does not say. */
export function useOwnZone(): string | null {
  return useClientValue(ownZone, null)
}

import { createContext, use, useDeferredValue, useSyncExternalStore } from 'react'
import { visitorZone } from './zones'

/** The current time of the hydrating render, in epoch milliseconds. */
export const PageTimeContext = createContext<number | null>(null)

/** The time at which the server rendered the page; only for the hydrating render. */
export function usePageTime(): number | null {
  return use(PageTimeContext)
}

const subscribeToNothing = () => () => undefined

/**
 * A value that only the browser has. On the server and during hydration it is `serverValue`, so that
 * both render the same; the browser's value follows in a transition. `read` must return the same
 * value until `subscribe` reports a change.
 */
export function useClientValue<Value extends string | number | boolean | null>(
  read: () => Value,
  serverValue: Value,
  subscribe: (onChange: () => void) => () => void = subscribeToNothing,
): Value {
  return useDeferredValue(useSyncExternalStore(subscribe, read, () => serverValue))
}

/** The visitor's time zone, an IANA name; null during hydration and if it is unknown. */
export function useVisitorZone(): string | null {
  return useClientValue(visitorZone, null)
}

const minute = 60 * 1000
const minuteOf = (instant: number) => Math.floor(instant / minute) * minute
const thisMinute = () => minuteOf(Date.now())

function subscribeToMinutes(onChange: () => void) {
  const timer = setInterval(onChange, minute)
  // Browsers pause timers in background tabs.
  document.addEventListener('visibilitychange', onChange)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onChange)
  }
}

/** The start of the current minute in epoch milliseconds, updated every 60 s (spec §9). */
export function useMinute(): number {
  return useClientValue(thisMinute, minuteOf(usePageTime() ?? 0), subscribeToMinutes)
}

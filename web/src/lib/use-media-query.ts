import { useCallback, useSyncExternalStore } from 'react'

/** Screens that are mobile: the breakpoint of spec §2 itself counts as mobile. */
export const phoneQuery = '(max-width: 768px)'

/** Whether `query` matches, right from the first render, so that nothing flashes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', onChange)
      return () => {
        list.removeEventListener('change', onChange)
      }
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

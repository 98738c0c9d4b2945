import { useCallback, useSyncExternalStore } from 'react'

/** Mobile screens, including the breakpoint itself (spec §2). */
export const phoneQuery = '(max-width: 768px)'

/** Whether `query` matches, from the first render on. */
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

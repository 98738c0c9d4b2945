import { useCallback } from 'react'
import { useClientValue } from './hydration'

/** Mobile screens, including the breakpoint itself (spec §2). */
export const phoneQuery = '(max-width: 768px)'

/** Whether `query` matches; false in the first render of the server's markup. */
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
  return useClientValue(() => matchMedia(query).matches, false, subscribe)
}

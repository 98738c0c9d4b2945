import { useMemo } from 'react'
import { useClientValue } from './hydration'

/** Narrow windows: up to 768 px wide, including the breakpoint itself (spec §2). */
export const narrowQuery = '(max-width: 768px)'

/** A function that calls its argument when `query` matches or no longer does. */
export const subscribeToMedia = (query: string) => (onChange: () => void) => {
  const list = matchMedia(query)
  list.addEventListener('change', onChange)
  return () => {
    list.removeEventListener('change', onChange)
  }
}

/** Whether `query` matches; false during hydration. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useMemo(() => subscribeToMedia(query), [query])
  return useClientValue(() => matchMedia(query).matches, false, subscribe)
}

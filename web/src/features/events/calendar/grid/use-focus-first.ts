import { type RefObject, useEffect, useRef } from 'react'
import { eventButtons } from './grid-keys'

/**
 * Gives a function that moves the focus to the first event of the period that is about to be shown,
 * or to its title if it has none (guide §9). The title holds the focus while the events load.
 */
export function useFocusFirst(
  grid: RefObject<HTMLElement | null>,
  titleId: string,
  isReady: boolean,
): () => void {
  const isWanted = useRef(false)

  useEffect(() => {
    if (!isWanted.current || !grid.current) return
    const title = document.getElementById(titleId)
    const first = isReady ? eventButtons(grid.current)[0] : undefined
    ;(first ?? title)?.focus()
    if (isReady) isWanted.current = false
  })

  return () => {
    isWanted.current = true
  }
}

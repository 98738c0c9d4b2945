import { type RefObject, useEffect, useState } from 'react'

/**
 * Whether the element has come near the viewport, within `margin` of it (spec §4: 75% for venue
 * images). Once near, it stays so.
 */
export function useNearViewport(element: RefObject<Element | null>, margin: string): boolean {
  const [isNear, setIsNear] = useState(() => typeof IntersectionObserver === 'undefined')

  useEffect(() => {
    if (isNear || !element.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setIsNear(true)
      },
      { rootMargin: margin },
    )
    observer.observe(element.current)
    return () => {
      observer.disconnect()
    }
  }, [element, isNear, margin])

  return isNear
}

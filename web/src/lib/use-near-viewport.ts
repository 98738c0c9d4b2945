import { type RefObject, useEffect, useState } from 'react'

/**
 * Whether the element is or has been within `margin` of the viewport (spec §4: 75% for venue
 * images).
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

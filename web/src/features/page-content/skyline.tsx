import { useLayoutEffect, useRef } from 'react'
import { classNames } from '../../lib/class-names'
import styles from './skyline.module.css'

/** The street on the horizon line, by day and by night. It rises into place once (guide §8). */
export function Skyline() {
  const street = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    for (const animation of street.current?.getAnimations({ subtree: true }) ?? []) {
      animation.currentTime = riseOffset()
    }
  }, [])

  return (
    <div ref={street} className={styles.root} aria-hidden="true">
      <img
        className={classNames(styles.picture, 'day-only')}
        src="/art/hero-skyline-day.svg"
        alt=""
      />
      <img
        className={classNames(styles.picture, 'night-only')}
        src="/art/hero-skyline-night.svg"
        alt=""
        loading="lazy"
      />
    </div>
  )
}

/**
 * How long ago, in milliseconds, the skyline began to rise. The page as the server writes it starts
 * the rise with its first frame; the page that takes over carries it on where it is instead of
 * starting again, and whoever comes back to the home page later finds the skyline standing.
 */
export function riseOffset(): number {
  const firstPaint = performance.getEntriesByType('paint')[0]?.startTime ?? 0
  return performance.now() - firstPaint
}

import { useLayoutEffect, useRef } from 'react'
import { classNames } from '../../lib/class-names'
import styles from './skyline.module.css'

/** The skyline, by day and by night. It rises once (guide §8). */
export function Skyline() {
  const root = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    for (const animation of root.current?.getAnimations({ subtree: true }) ?? []) {
      animation.currentTime = riseOffset()
    }
  }, [])

  return (
    <div ref={root} className={styles.root} aria-hidden="true">
      <img
        className={classNames(styles.image, 'day-only')}
        src="/art/hero-skyline-day.svg"
        alt=""
      />
      <img
        className={classNames(styles.image, 'night-only')}
        src="/art/hero-skyline-night.svg"
        alt=""
        loading="lazy"
      />
    </div>
  )
}

/**
 * How long ago, in milliseconds, the skyline started to rise. The server-rendered page starts the
 * animation with its first frame; hydration continues it, and a later return to the home page does
 * not repeat it.
 */
export function riseOffset(): number {
  const firstPaint = performance.getEntriesByType('paint')[0]?.startTime ?? 0
  return performance.now() - firstPaint
}

import { useId } from 'react'
import { Skeleton } from '../../components/ui/loading'
import { classNames } from '../../lib/class-names'
import { longWordClass } from '../../components/fit-text'
import { useHeroText } from './api'
import { ConstructionScene } from './construction-scene'
import styles from './hero.module.css'
import { Skyline } from './skyline'

interface HeroProps {
  /** The skyline, or the construction scene while there is no upcoming event (guide §6). */
  scene: 'skyline' | 'construction'
}

/** The home page's title and subtitle above the skyline (spec §2, Home page). */
export function Hero({ scene }: HeroProps) {
  const { title, subtitle, isLoading } = useHeroText()
  const headingId = useId()
  const length = titleLength(title)

  return (
    <section
      className={classNames(styles.root, scene === 'construction' && styles.construction)}
      aria-labelledby={headingId}
    >
      <div className={classNames('wrap', styles.inner)}>
        <div className={classNames('word-box', styles.text)}>
          <h1
            className={classNames(styles.title, length && styles[length], longWordClass(title))}
            id={headingId}
            tabIndex={-1}
          >
            {isLoading ? <Skeleton className={styles.line} /> : title}
          </h1>
          <p className={classNames(styles.subtitle, subtitle.length > 140 && styles.longSubtitle)}>
            {isLoading ? <Skeleton className={styles.line} /> : subtitle}
          </p>
        </div>
      </div>
      {scene === 'skyline' ? <Skyline /> : <ConstructionScene />}
    </section>
  )
}

/** The class that makes a long title smaller (guide §3); none if it is short. */
export function titleLength(title: string): 'longTitle' | 'longestTitle' | undefined {
  const length = Array.from(title).length
  if (length > 64) return 'longestTitle'
  return length > 32 ? 'longTitle' : undefined
}

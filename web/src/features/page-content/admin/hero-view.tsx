import { useId } from 'react'
import { Skeleton } from '../../../components/ui/loading'
import { classNames } from '../../../lib/class-names'
import { titleLength } from '../hero'
import styles from './hero-view.module.css'

interface HeroViewProps {
  title: string
  subtitle: string
  isLoading: boolean
  /** Whether it shows unsaved input. */
  isPreview?: boolean
}

/** A small preview of the home page's hero with labeled texts (guide §6, CMS). */
export function HeroView({ title, subtitle, isLoading, isPreview = false }: HeroViewProps) {
  const headingId = useId()
  const length = titleLength(title)
  return (
    <section className={styles.root} aria-labelledby={headingId} aria-busy={isLoading}>
      <h2 className={isPreview ? styles.heading : 'visually-hidden'} id={headingId}>
        {isPreview ? 'Preview' : 'Hero'}
      </h2>
      <div className={styles.hero}>
        <dl className={styles.texts}>
          <div>
            <dt className={styles.label}>Title</dt>
            <dd className={classNames(styles.title, length && styles[length])}>
              {isLoading ? <Skeleton className={styles.line} /> : title}
            </dd>
          </div>
          <div>
            <dt className={styles.label}>Subtitle</dt>
            <dd className={styles.subtitle}>
              {isLoading ? <Skeleton className={styles.line} /> : subtitle}
            </dd>
          </div>
        </dl>
        <img
          className={classNames(styles.street, 'day-only')}
          src="/art/hero-skyline-day.svg"
          alt=""
        />
        <img
          className={classNames(styles.street, 'night-only')}
          src="/art/hero-skyline-night.svg"
          alt=""
        />
      </div>
    </section>
  )
}

import { useId } from 'react'
import type { Speaker } from '../../api/types'
import { Portrait } from '../../components/portrait'
import { Skeleton } from '../../components/ui/loading'
import { classNames } from '../../lib/class-names'
import styles from './speaker-cards.module.css'

interface SpeakerCardsProps {
  title: string
  speakers: readonly Speaker[]
  onEdit: (id: number) => void
}

/** A group of speakers; each card is a button that opens the form (guide §6, Speakers). */
export function SpeakerCards({ title, speakers, onEdit }: SpeakerCardsProps) {
  const headingId = useId()
  return (
    <section className={styles.group} aria-labelledby={headingId}>
      <h2 className={styles.title} id={headingId}>
        {title}
      </h2>
      <ul className={styles.cards}>
        {speakers.map((speaker) => (
          <li key={speaker.id}>
            <button
              type="button"
              className={styles.card}
              data-opens={speaker.id}
              onClick={() => {
                onEdit(speaker.id)
              }}
            >
              <Portrait
                className={styles.portrait}
                name={speaker.name}
                imageUrl={speaker.imageUrl}
                isLazy
              />
              <span className={styles.text}>
                <span className="visually-hidden">Edit </span>
                <b className={styles.name}>{speaker.name}</b>
                <span className={styles.position}>{speaker.title}</span>
                {speaker.bio !== null && <span className={styles.bio}>{speaker.bio}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Placeholders for the cards while they load. */
export function SpeakerCardsSkeleton() {
  return (
    <div className={styles.group} aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading speakers...
      </p>
      <Skeleton className={styles.titleSkeleton} />
      <div className={styles.cards}>
        {[0, 1, 2, 3, 4, 5].map((index) => (
          <div key={index} className={classNames(styles.card, styles.loading)}>
            <Skeleton className={classNames(styles.portrait, styles.arch)} />
            <span className={styles.text}>
              <Skeleton className={styles.line} />
              <Skeleton className={styles.line} />
              <Skeleton className={styles.line} />
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}

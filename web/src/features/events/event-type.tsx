import { typeIconPaths, typeSlug } from './event-presentation'
import styles from './event-type.module.css'

/** The icon of an event type, shown next to the type's name (guide §2). */
export function EventTypeIcon({ slug }: { slug: string }) {
  return (
    <svg className={styles.icon} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
      <path fillRule="evenodd" d={typeIconPaths[slug]} />
    </svg>
  )
}

/** An event's type: its icon on its color, and its name (guide §6, Type flag). */
export function EventTypeBadge({ type }: { type: string }) {
  const slug = typeSlug(type)
  return (
    <span className={styles.badge} data-type={slug}>
      <span className={styles.block}>
        <EventTypeIcon slug={slug} />
      </span>
      <span className={styles.label}>{type}</span>
    </span>
  )
}

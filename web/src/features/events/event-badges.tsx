import { badgeOf, typeIconPaths, typeSlug, type WithStatus } from './event-presentation'
import styles from './event-badges.module.css'

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
    <span className={styles.type} data-type={slug}>
      <span className={styles.block}>
        <EventTypeIcon slug={slug} />
      </span>
      <span className={styles.label}>{type}</span>
    </span>
  )
}

/** `Cancelled` or `Postponed`, next to an event's type; nothing for other events. */
export function StatusBadge({ event }: { event: WithStatus }) {
  const badge = badgeOf(event)
  return badge && <span className={styles.status}>{badge}</span>
}

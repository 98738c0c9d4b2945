import type { CalendarEvent } from '../../api/types'
import styles from './status-badge.module.css'
import { badgeOf } from './event-status'

/** `Cancelled` or `Postponed`, next to an event's type; nothing for other events. */
export function StatusBadge({ event }: { event: Pick<CalendarEvent, 'status'> }) {
  const badge = badgeOf(event)
  return badge && <span className={styles.root}>{badge}</span>
}

import { eventClosed } from '../../api/generated/contract'
import type { CalendarEvent } from '../../api/types'
import styles from './event-status.module.css'

type WithStatus = Pick<CalendarEvent, 'status'>

const badges: Readonly<Record<string, string | undefined>> = {
  cancelled: 'Cancelled',
  postponed: 'Postponed',
}

/** What visitors read next to an event that does not take place as planned; undefined for others. */
export function badgeOf({ status }: WithStatus): string | undefined {
  return status && badges[status]
}

/** Whether registration and attendance are closed, although the event is not over. */
export function isClosed(event: WithStatus): boolean {
  return badgeOf(event) !== undefined
}

/** What the badge means. */
export function closedNote({ status = 'published' }: WithStatus): string {
  return `${eventClosed[status] ?? ''}.`
}

/** `Cancelled` or `Postponed`, next to an event's type; nothing for other events. */
export function StatusBadge({ event }: { event: WithStatus }) {
  const badge = badgeOf(event)
  return badge && <span className={styles.root}>{badge}</span>
}

import type { CalendarEvent } from '../../api/types'
import styles from './event-mark.module.css'
import { markOf } from './event-status'

/** `Cancelled` or `Postponed`, next to an event's type; nothing for other events. */
export function EventMark({ event }: { event: Pick<CalendarEvent, 'status'> }) {
  const mark = markOf(event)
  return mark && <span className={styles.root}>{mark}</span>
}

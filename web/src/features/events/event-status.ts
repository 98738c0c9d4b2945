import type { CalendarEvent, EventStatus } from '../../api/types'
import type { EventState } from './event-presentation'

type WithStatus = Pick<CalendarEvent, 'status'>

const marks: Partial<Record<EventStatus, string>> = {
  cancelled: 'Cancelled',
  postponed: 'Postponed',
}

/** What visitors read next to an event that does not take place as planned; null for others. */
export function markOf({ status = 'published' }: WithStatus): string | null {
  return marks[status] ?? null
}

/** Whether registration and attendance are closed, although the event is not over. */
export function isClosed(event: WithStatus): boolean {
  return markOf(event) !== null
}

/** What the mark means. */
export function closedNote({ status }: WithStatus): string {
  return status === 'postponed'
    ? 'This event is postponed. The new date is not known yet.'
    : 'This event is cancelled and does not take place.'
}

/** The recording that visitors can watch; null until the event is over. */
export function recordingOf(
  { recordingUrl }: Pick<CalendarEvent, 'recordingUrl'>,
  state: EventState,
): string | null {
  return state === 'over' ? (recordingUrl ?? null) : null
}

import type { CalendarEvent, EventStatus } from '../../../api/types'

/** The statuses in the order of the form, with their labels. */
export const statusLabels: Readonly<Record<EventStatus, string>> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  published: 'Published',
  hidden: 'Hidden',
  cancelled: 'Cancelled',
  postponed: 'Postponed',
}

/** Every status, in the order of the form. */
export const statuses = Object.keys(statusLabels) as readonly EventStatus[]

/** What each status means to visitors. */
export const statusHelp: Readonly<Record<EventStatus, string>> = {
  draft: 'Only the people in this portal see it. A draft needs nothing but a title.',
  scheduled: 'Visitors see it from the time below on.',
  published: 'Visitors see it.',
  hidden: 'Only the people in this portal see it.',
  cancelled: 'Visitors see that it is cancelled. Registration and attendance are closed.',
  postponed: 'Visitors see that it is postponed. Registration and attendance are closed.',
}

/** Whether a text is a status. */
export function isStatus(text: string): text is EventStatus {
  return text in statusLabels
}

/** The status of an event at `now` (ms): a scheduled one is published when its time has come. */
export function statusOf(
  { status = 'published', publishAt }: Pick<CalendarEvent, 'status' | 'publishAt'>,
  now: number,
): EventStatus {
  const isDue = publishAt !== undefined && Date.parse(publishAt) <= now
  return status === 'scheduled' && isDue ? 'published' : status
}

/** Whether visitors see events with this status. */
export function isPublic(status: EventStatus): boolean {
  return status === 'published' || status === 'cancelled' || status === 'postponed'
}

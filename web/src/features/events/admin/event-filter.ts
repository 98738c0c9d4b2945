import type { CalendarEvent, EventStatus } from '../../../api/types'
import { statusOf } from './status-labels'

/** Cards per page (spec §9). */
export const pageSize = 6
/** Rows per page of the table. */
export const rowsPerPage = 25

/** The status filter. */
export const statusFilters = [
  'upcoming',
  'past',
  'draft',
  'scheduled',
  'hidden',
  'cancelled',
  'postponed',
] as const
/** One of them. */
export type StatusFilter = (typeof statusFilters)[number]

/** The orders of the list. */
export const sorts = ['upcoming', 'earliest', 'latest', 'title', 'changed'] as const
/** One of them. */
export type Sort = (typeof sorts)[number]

/** The filter of the list; an empty text and null match all events. */
export interface PortalFilter {
  /** Words in the title, the type, the series, the venue or a speaker's name, and dates, as on the public site. */
  text: string
  type: string | null
  status: StatusFilter | null
  /** `2026-03` */
  month: string | null
}

/** The filter that all events match. */
export const noFilter: PortalFilter = { text: '', type: null, status: null, month: null }

/** An event in the portal's list. */
export interface ListedEvent {
  event: CalendarEvent
  status: EventStatus
  isPast: boolean
}

/** An event with what its status is now. */
export function listedEvent(event: CalendarEvent, now: number): ListedEvent {
  return { event, status: statusOf(event, now), isPast: Date.parse(event.startsAt) < now }
}

/** The number of pages, at least one, and `page` limited to it. */
export function pageOf(
  count: number,
  page: number,
  size = pageSize,
): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(count / size))
  return { page: Math.min(Math.max(1, page), pages), pages }
}

const monthFormat = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** `March 2026` for 2026-03. */
export const monthLabel = (month: string) => monthFormat.format(Date.parse(`${month}-01T12:00:00Z`))

import type { CalendarEvent, EventStatus } from '../../../api/types'
import { parseQuery, textOf } from './searched-text'
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

/** The search and filters; an empty text and null match all events. */
export interface Search {
  /** Words in the title, the type, the series, the venue or a speaker's name, and dates. */
  text: string
  type: string | null
  status: StatusFilter | null
  /** `2026-03` */
  month: string | null
}

/** An event in the portal's list. */
export interface ListedEvent {
  event: CalendarEvent
  status: EventStatus
  isPast: boolean
}

const searchTexts = new WeakMap<CalendarEvent, string>()

/** The normalized text that a search matches; built on first use, as the list opens without it. */
function searchTextOf(event: CalendarEvent): string {
  const cached = searchTexts.get(event)
  if (cached !== undefined) return cached
  const text = textOf(event)
  searchTexts.set(event, text)
  return text
}

/** Drafts without a date, then upcoming events, the soonest first, then past events, the latest first. */
export function listedEvents(
  shown: readonly CalendarEvent[],
  unpublished: readonly CalendarEvent[],
  now: number,
): ListedEvent[] {
  const listed = (event: CalendarEvent) => {
    const start = Date.parse(event.startsAt)
    const isUndated = Number.isNaN(start)
    const status = statusOf(event, now)
    return { event, status, isPast: start < now, start: isUndated ? 0 : start }
  }
  // The lists are fetched separately, so an event may be in both.
  const unpublishedIds = new Set(unpublished.map(({ id }) => id))
  return [...shown.filter(({ id }) => !unpublishedIds.has(id)), ...unpublished]
    .map(listed)
    .sort(
      (a, b) =>
        Number(a.isPast) - Number(b.isPast) ||
        (a.isPast ? b.start - a.start : a.start - b.start) ||
        a.event.id - b.event.id,
    )
}

/**
 * The events that match every word and day of the search (as the public search reads them), its type,
 * its status and its month.
 */
export function matchingEvents(
  events: readonly ListedEvent[],
  { text, type, status, month }: Search,
): ListedEvent[] {
  const { dates, terms } = parseQuery(text)
  return events.filter(
    (listed) =>
      (type === null || listed.event.type === type) &&
      (month === null || listed.event.date.startsWith(month)) &&
      hasStatus(listed, status) &&
      dates.every((date) => date.test(listed.event.date)) &&
      terms.every((term) => searchTextOf(listed.event).includes(term)),
  )
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The events in another order than that of `listedEvents`. */
export function sortedEvents(events: readonly ListedEvent[], sort: Sort): readonly ListedEvent[] {
  switch (sort) {
    case 'upcoming':
      return events
    case 'earliest':
      return events.toSorted((a, b) => order(a.event.startsAt, b.event.startsAt))
    case 'latest':
      return events.toSorted((a, b) => order(b.event.startsAt, a.event.startsAt))
    case 'title':
      return events.toSorted((a, b) => collator.compare(a.event.title, b.event.title))
    case 'changed':
      return events.toSorted((a, b) => order(b.event.updatedAt, a.event.updatedAt))
  }
}

/** The order of two instants of the server, which are of one length and in UTC. */
function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The months that have events, the earliest first, as `2026-03`. */
export function monthsOf(events: readonly ListedEvent[]): string[] {
  const months = new Set<string>()
  for (const { event } of events) if (event.date !== '') months.add(event.date.slice(0, 7))
  return [...months].sort()
}

function hasStatus(listed: ListedEvent, status: StatusFilter | null): boolean {
  if (status === null) return true
  if (status === 'past' || status === 'upcoming') return listed.isPast === (status === 'past')
  return listed.status === status
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

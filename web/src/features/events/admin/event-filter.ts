import type { CalendarEvent, EventStatus } from '../../../api/types'
import { normalized, normalizedWords } from '../../../lib/text'
import { statusOf } from './status-labels'

/** Cards per page (spec §9). */
export const pageSize = 6

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

/** The search and filters; an empty text and null match all events. */
export interface Search {
  /** Words in the title, the type, the series or a speaker's name. */
  text: string
  type: string | null
  status: StatusFilter | null
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
  const { title, type, series, speakers } = event
  const names = speakers.map(({ speaker }) => speaker.name)
  const text = normalized([title, type, series, ...names].join('\n'))
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

/** The events that match every word of the search, its type and its status. */
export function matchingEvents(
  events: readonly ListedEvent[],
  { text, type, status }: Search,
): ListedEvent[] {
  const words = normalizedWords(text)
  return events.filter(
    (listed) =>
      (type === null || listed.event.type === type) &&
      hasStatus(listed, status) &&
      words.every((word) => searchTextOf(listed.event).includes(word)),
  )
}

function hasStatus(listed: ListedEvent, status: StatusFilter | null): boolean {
  if (status === null) return true
  if (status === 'past' || status === 'upcoming') return listed.isPast === (status === 'past')
  return listed.status === status
}

/** The number of pages, at least one, and `page` limited to it. */
export function pageOf(count: number, page: number): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(count / pageSize))
  return { page: Math.min(Math.max(1, page), pages), pages }
}

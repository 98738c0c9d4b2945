import type { CalendarEvent } from '../../../api/types'

/** How many cards stand on a page (spec §9). */
export const pageSize = 6

/** The period filter. */
export const periods = ['upcoming', 'past', 'hidden'] as const
/** One of them. */
export type Period = (typeof periods)[number]

/** What an editor looks for; nothing where all events will do. */
export interface Search {
  /** Words in the title, the type, the series or a speaker's name. */
  text: string
  type: string | null
  period: Period | null
}

/** An event as the portal's list knows it. */
export interface ListedEvent {
  event: CalendarEvent
  /** Visitors don't see it. */
  isHidden: boolean
  isPast: boolean
}

/** Text without regard to case and accents. */
export function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

const searchTexts = new WeakMap<CalendarEvent, string>()

/** What an event is found by. It is made at the first search: the list opens without it. */
function messageOf(event: CalendarEvent): string {
  const known = searchTexts.get(event)
  if (known !== undefined) return known
  const { title, type, series, speakers } = event
  const names = speakers.map(({ speaker }) => speaker.name)
  const words = plain([title, type, series, ...names].join('\n'))
  searchTexts.set(event, words)
  return words
}

/**
 * The events in the order in which an editor needs them: what comes next first, then on into the
 * future; after that what is over, the latest first.
 */
export function listedEvents(
  shown: readonly CalendarEvent[],
  hidden: readonly CalendarEvent[],
  now: number,
): ListedEvent[] {
  const listed = (event: CalendarEvent, isHidden: boolean) => {
    const start = Date.parse(event.startsAt)
    return { event, isHidden, isPast: start < now, start }
  }
  // Between two responses, an event may be in both lists.
  const hiddenIds = new Set(hidden.map(({ id }) => id))
  return [
    ...shown.filter(({ id }) => !hiddenIds.has(id)).map((event) => listed(event, false)),
    ...hidden.map((event) => listed(event, true)),
  ].sort(
    (a, b) =>
      Number(a.isPast) - Number(b.isPast) ||
      (a.isPast ? b.start - a.start : a.start - b.start) ||
      a.event.id - b.event.id,
  )
}

/** The events that match every word of the search, its type and its period. */
export function foundEvents(
  events: readonly ListedEvent[],
  { text, type, period }: Search,
): ListedEvent[] {
  const words = plain(text).split(/\s+/).filter(Boolean)
  return events.filter(
    (listed) =>
      (type === null || listed.event.type === type) &&
      isInPeriod(listed, period) &&
      words.every((word) => messageOf(listed.event).includes(word)),
  )
}

function isInPeriod({ isPast, isHidden }: ListedEvent, period: Period | null): boolean {
  if (period === 'hidden') return isHidden
  return period === null || isPast === (period === 'past')
}

/** The number of pages, at least one, and `page` limited to it. */
export function pageOf(count: number, page: number): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(count / pageSize))
  return { page: Math.min(Math.max(1, page), pages), pages }
}

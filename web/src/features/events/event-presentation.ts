import { eventClosed, eventOver, eventTypes, inPersonType } from '../../api/generated/contract'
import type { CalendarEvent } from '../../api/types'
import { serverRuntime } from '../../lib/server-runtime'
import { slugOf } from '../../lib/slug'
import { startOf, endOf } from './event-time'

const slugs = new Map<string, string>(eventTypes.map((type) => [type, slugOf(type)]))

/** The value of `data-type` that gives an element an event type's colors (guide §2). */
export function typeSlug(type: string): string {
  return slugs.get(type) ?? 'unknown'
}

/**
 * The banner of an event type; unknown types use that of Investor Insights (spec §3). The server
 * embeds it in the page, which saves a request: such an image has `suppressHydrationWarning`, so that
 * it keeps the server's URL until it shows another event.
 */
export function bannerOf(type: string): string {
  const slug = typeSlug(type)
  if (serverRuntime) return serverRuntime.bannerUrl(slug)
  return `/art/banner-${slug === 'unknown' ? 'investor-insights' : slug}.svg`
}

/** Whether events of this type have a venue and an interest count (spec §2). */
export function isInPerson(type: string): boolean {
  return type === inPersonType
}

/** Whether an event is yet to start, in progress, or over. */
export type EventState = 'upcoming' | 'live' | 'over'

/** The state of an event at an instant, in epoch milliseconds. */
export function eventState(event: CalendarEvent, now: number): EventState {
  return stateOf({ startsAt: startOf(event), endsAt: endOf(event) }, now)
}

/** The same for a known start and end, in epoch milliseconds. */
export function stateOf(span: { startsAt: number; endsAt: number }, now: number): EventState {
  if (span.endsAt <= now) return 'over'
  return span.startsAt <= now ? 'live' : 'upcoming'
}

/** What visitors read about a state; nothing about upcoming events. */
export const stateLabels: Readonly<Record<EventState, string | null>> = {
  upcoming: null,
  live: 'Live now',
  over: eventOver,
}

/** The icon of each type on a 12 by 12 grid, so that color is not the only difference (guide §2). */
export const typeIconPaths: Readonly<Record<string, string>> = {
  'investor-insights': 'M1 8h2.6v3H1zM4.7 5h2.6v6H4.7zM8.4 1H11v10H8.4z',
  'pillars-of-wealthbuilding':
    'M.8 1h10.4v2H.8zM2 3.9h2.5v4.3H2zM7.5 3.9H10v4.3H7.5zM.8 9.1h10.4V11H.8z',
  'physician-on-fire':
    'M6 .4c.6 2.5 4.1 3.8 4.1 7.1a4.1 4.1 0 0 1-8.2 0c0-1.8 1.2-2.7 1.6-4.3 1.1.6 1.5 1.3 1.6 2.2C6 4.1 6.4 2.5 6 .4z',
  'in-person-events': 'M1.6 11V5.4a4.4 4.4 0 0 1 8.8 0V11H7.7V7.8a1.7 1.7 0 0 0-3.4 0V11z',
  'ira-related-webinars':
    'M6 .8a5.2 5.2 0 1 1 0 10.4A5.2 5.2 0 0 1 6 .8zm0 2.3a2.9 2.9 0 1 0 0 5.8 2.9 2.9 0 0 0 0-5.8z',
  special: 'M6 0c.5 4.2 1.8 5.5 6 6-4.2.5-5.5 1.8-6 6-.5-4.2-1.8-5.5-6-6 4.2-.5 5.5-1.8 6-6z',
  unknown: 'M6 1l5 5-5 5-5-5z',
}

/** What a card says of an event that is over and has a recording, which its dialog and its page link to. */
export const recordingLabel = 'Recording available'

/** An event by its status. */
export type WithStatus = Pick<CalendarEvent, 'status'>

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

/** The title, with the badge before it, where only titles are shown. */
export function markedTitle(event: WithStatus & { title: string }): string {
  const badge = badgeOf(event)
  return badge ? `${badge}: ${event.title}` : event.title
}

/** What the badge means. */
export function closedNote({ status = 'published' }: WithStatus): string {
  return `${eventClosed[status] ?? ''}.`
}

/** Type, recording, venue and speakers on one line. */
export function detailsOf(event: CalendarEvent, isPast: boolean): string {
  const { type, location, speakers, recordingUrl } = event
  const recording = isPast && recordingUrl && recordingLabel
  const venue = location && [location.venueName, location.city].filter(Boolean).join(', ')
  const people = speakers.map(({ speaker }) => speaker.name).join(', ')
  return [type, recording, venue, people].filter(Boolean).join(' · ')
}

import { http, HttpResponse } from 'msw'
import type { CalendarEvent, EventMatch, EventPage } from '../api/types'
import { statusOf } from '../features/events/admin/status-labels'
import { normalized, normalizedWords } from '../lib/text'

const isPast = ({ startsAt }: CalendarEvent) => Date.parse(startsAt) < Date.now()

/** Drafts without a date, then upcoming events, the soonest first, then past events, the latest first. */
const byStart = (a: CalendarEvent, b: CalendarEvent) =>
  Number(isPast(a)) - Number(isPast(b)) ||
  (isPast(a) ? -1 : 1) * (a.startsAt < b.startsAt ? -1 : a.startsAt > b.startsAt ? 1 : 0) ||
  a.id - b.id

const orders: Readonly<Record<string, (a: CalendarEvent, b: CalendarEvent) => number>> = {
  upcoming: byStart,
  earliest: (a, b) => a.startsAt.localeCompare(b.startsAt),
  latest: (a, b) => b.startsAt.localeCompare(a.startsAt),
  title: (a, b) => a.title.localeCompare(b.title, 'en', { numeric: true }),
  changed: (a, b) => b.updatedAt.localeCompare(a.updatedAt),
}

/** The events that the query of a request selects, as the server selects them but by the title's words alone. */
function matching(events: readonly CalendarEvent[], query: URLSearchParams): CalendarEvent[] {
  const [type, when, month] = ['type', 'when', 'month'].map((name) => query.get(name))
  const words = normalizedWords(query.get('q') ?? '')
  return events.filter(
    (event) =>
      (!type || event.type === type) &&
      (!month || event.date.startsWith(month)) &&
      (!when ||
        (when === 'past' || when === 'upcoming'
          ? isPast(event) === (when === 'past')
          : statusOf(event, Date.now()) === when)) &&
      words.every((word) => normalized(event.title).includes(word)),
  )
}

/** The endpoints of the portal's list, with these events of every status. */
export function portalList(events: () => readonly CalendarEvent[]) {
  const queryOf = ({ url }: Request) => new URL(url).searchParams
  return [
    http.get('/api/events/portal', ({ request }) => {
      const query = queryOf(request)
      const order = orders[query.get('sort') ?? 'upcoming'] ?? byStart
      const matches = matching(events(), query).sort(order)
      const size = Number(query.get('size') ?? 6)
      const wanted = query.get('event')
      const index = matches.findIndex(({ id }) => id === Number(wanted))
      const requested = index < 0 ? Number(query.get('page') ?? 1) : Math.floor(index / size) + 1
      const page = Math.min(requested, Math.max(1, Math.ceil(matches.length / size)))
      const statuses = new Set(events().map((event) => statusOf(event, Date.now())))
      statuses.delete('published')
      const body: EventPage = {
        count: matches.length,
        page,
        ...(wanted && { isFound: index >= 0 }),
        events: matches.slice((page - 1) * size, page * size),
        hasEvents: events().length > 0,
        hasInPerson: matches.some(({ type }) => type === 'In-Person Events'),
        statuses: [...statuses] as EventPage['statuses'],
      }
      return HttpResponse.json(body)
    }),
    http.get('/api/events/portal/matches', ({ request }) => {
      const matches = matching(events(), queryOf(request))
      const body: EventMatch[] = matches.map(({ id, date, series }) => ({ id, date, series }))
      return HttpResponse.json(body)
    }),
    http.get('/api/events/portal/events', ({ request }) => {
      const ids = queryOf(request).get('ids')?.split(',').map(Number) ?? []
      return HttpResponse.json(ids.flatMap((id) => events().find((event) => event.id === id) ?? []))
    }),
    http.get('/api/events/overlaps', ({ request }) => {
      const query = queryOf(request)
      const start = Date.parse(query.get('startsAt') ?? '')
      const end = start + Number(query.get('minutes')) * 60_000
      const speakers = query.get('speakers')?.split(',').map(Number) ?? []
      const overlapping = events().filter(
        (event) =>
          Date.parse(event.startsAt) < end &&
          Date.parse(event.startsAt) + parseInt(event.duration) * 60_000 > start &&
          !['cancelled', 'postponed', 'hidden'].includes(event.status ?? '') &&
          event.speakers.some(({ speakerId }) => speakers.includes(speakerId)),
      )
      return HttpResponse.json(overlapping)
    }),
    http.get('/api/events/months', () => {
      const months = new Set(events().map(({ date }) => date.slice(0, 7)))
      return HttpResponse.json([...months].filter(Boolean).sort())
    }),
    http.get('/api/events/series', () => {
      const names = new Set(events().flatMap(({ series }) => series ?? []))
      return HttpResponse.json([...names].sort())
    }),
    http.get('/api/attendance', () => HttpResponse.json([])),
  ]
}

import { useQuery } from '@tanstack/react-query'
import type { CalendarEvent } from '../../../api/types'
import { eventsQuery, useInitialEvents } from '../api'
import { startOf } from '../event-time'
import { addDays, type Days } from './period'

/** How many of the latest events are fetched to find the next one: those of today may have begun. */
const limit = 50

/** The event to which a period without events leads. */
export interface NearestEvent {
  event: CalendarEvent
  /** Whether it is the next one; otherwise no other is later. */
  isNext: boolean
}

/**
 * The next event after a period that has none: for a past period that is the next one from now on, as on the rest of the
 * site. If no event follows and the period `isEmpty`, the last one before it, or of all if it is past. The events that
 * were loaded with those of the period or the page's initial data may have it; otherwise it is fetched. None while nothing
 * is `loaded`.
 */
export function useNearestEvent(
  { from, to }: Days,
  today: string,
  now: number,
  type: string | null,
  loaded: readonly CalendarEvent[] | undefined,
  isEmpty: boolean,
): NearestEvent | undefined {
  const { initialEvents } = useInitialEvents()
  const isPast = to < today
  // All lists are in the order of the events' starts.
  const eventsOfType = (events: readonly CalendarEvent[] = []) =>
    events.filter(({ type: own }) => type === null || own === type)
  const nextIn = (events?: readonly CalendarEvent[]) =>
    eventsOfType(events).find((event) => (isPast ? startOf(event) >= now : event.date > to))
  const lastIn = (events?: readonly CalendarEvent[]) =>
    eventsOfType(events)
      .filter(({ date }) => isPast || date < from)
      .at(-1)

  const initial = loaded && initialOf(initialEvents, type, isPast ? today : to)
  const next = nextIn(loaded) ?? nextIn(initial?.next)
  const initialLast = isEmpty && initial?.all ? lastIn(initial.all) : undefined
  const typeFilter = type !== null && { type }
  const isNeeded = loaded !== undefined && !next && !initialLast
  const { data: after } = useQuery({
    ...eventsQuery(
      isPast
        ? // In another zone it may still be yesterday.
          { from: addDays(today, -1), ...typeFilter, limit }
        : { from: addDays(to, 1), ...typeFilter, limit: 1 },
    ),
    enabled: isNeeded,
  })
  const loadedLast = isEmpty && !isPast ? lastIn(loaded) : undefined
  const { data: before } = useQuery({
    ...eventsQuery({ ...(!isPast && { to: addDays(from, -1) }), ...typeFilter, last: 1 }),
    enabled: isNeeded && isEmpty && !!after && !nextIn(after) && !loadedLast,
  })

  if (!loaded) return undefined
  const found = next ?? nextIn(after)
  if (found) return { event: found, isNext: true }
  const last = initialLast ?? (after && (loadedLast ?? (isEmpty ? lastIn(before) : undefined)))
  return last && { event: last, isNext: false }
}

/**
 * The events of the page's initial data of which one may be the first after the day `start`, today or later; if no
 * other events can be near, `all` of them.
 */
function initialOf(
  initialEvents: ReturnType<typeof useInitialEvents>['initialEvents'],
  type: string | null,
  start: string,
) {
  if (!initialEvents) return undefined
  const { window, events, nextEvent, nearestEvent } = initialEvents
  const nearest = nearestEvent?.type === type ? nearestEvent : undefined
  const isAfter = nearest?.isLast === false
  return {
    next: [
      ...(window.from <= start ? [...events, ...(isAfter ? [nearest.event] : [])] : []),
      // The first of all from now on.
      ...(nextEvent ? [nextEvent] : []),
    ],
    all: nearest?.isLast
      ? [nearest.event, ...events].sort((a, b) => a.date.localeCompare(b.date))
      : undefined,
  }
}

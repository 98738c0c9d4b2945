import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { CalendarEvent } from '../../api/types'
import { useClientValue, usePageTime } from '../../lib/hydration'
import { eventsQuery, useInitialEvents } from './api'
import { startOf, endOf } from './event-time'

/** The maximum delay of a timer in milliseconds. */
const maxDelay = 2 ** 31 - 1

/** An event with its start and end, in epoch milliseconds. */
export interface TimedEvent {
  event: CalendarEvent
  start: number
  end: number
}

/** The events by start, without those with an invalid time. */
export const timedEventsOf = (events: readonly CalendarEvent[]): TimedEvent[] =>
  events
    .map((event) => ({ event, start: startOf(event), end: endOf(event) }))
    .filter(({ start }) => !Number.isNaN(start))
    .sort((a, b) => a.start - b.start)

/** The first event, by start, that starts now or later (spec §2). */
export const firstUpcoming = (events: readonly TimedEvent[], now: number) =>
  events.find(({ start }) => start >= now)?.event

/** The first event, by start, that is not over. */
export const firstOngoing = (events: readonly TimedEvent[], now: number) =>
  events.find(({ end }) => end > now)?.event

/** How many of the next events are fetched. */
const limit = 200
/** Two days ago, yyyy-MM-dd: an event may be in progress, in any zone. */
const firstDayToFetch = () => new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)

const nothing: readonly CalendarEvent[] = []

/**
 * The next event, or one in progress if no other is upcoming; changes to the following one when it
 * starts.
 */
export function useNextEvent(): { event: CalendarEvent | undefined; isLoading: boolean } {
  const { initialEvents, isOutdated } = useInitialEvents()
  // The next event may be later than the days of the initial data.
  const initial = useMemo(
    () =>
      initialEvents?.nextEvent
        ? [...initialEvents.events, initialEvents.nextEvent]
        : initialEvents?.events,
    [initialEvents],
  )
  const known = useNextOf(initial ?? nothing)
  // The event after it may not be in the initial data.
  const isEnough = initialEvents && (known.upcoming !== undefined || !initialEvents.nextEvent)
  const [from] = useState(firstDayToFetch)
  const { data: fetched, isPending } = useQuery({
    ...eventsQuery({ from, limit }),
    enabled: !isEnough || isOutdated,
  })
  const fetchedNext = useNextOf(fetched ?? nothing)

  const { upcoming, ongoing } = fetched ? fetchedNext : known
  return { event: upcoming ?? ongoing, isLoading: !isEnough && isPending }
}

/** The first upcoming and the first ongoing event, at all times. */
function useNextOf(events: readonly CalendarEvent[]) {
  const timed = useMemo(() => timedEventsOf(events), [events])
  const subscribe = useCallback(
    (onChange: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const wait = () => {
        const now = Date.now()
        // An event that starts now is still upcoming.
        const changes = timed.flatMap(({ start, end }) => [start + 1, end])
        const next = Math.min(...changes.filter((time) => time > now))
        if (next === Infinity) return
        timer = setTimeout(
          () => {
            onChange()
            wait()
          },
          Math.min(next - now, maxDelay),
        )
      }
      wait()
      return () => {
        clearTimeout(timer)
      }
    },
    [timed],
  )
  const rendered = usePageTime() ?? 0
  const idOf = (find: typeof firstUpcoming, now: number) => find(timed, now)?.id ?? null
  const upcoming = useClientValue(
    () => idOf(firstUpcoming, Date.now()),
    idOf(firstUpcoming, rendered),
    subscribe,
  )
  const ongoing = useClientValue(
    () => idOf(firstOngoing, Date.now()),
    idOf(firstOngoing, rendered),
    subscribe,
  )
  const eventOf = (id: number | null) => timed.find(({ event }) => event.id === id)?.event
  return { upcoming: eventOf(upcoming), ongoing: eventOf(ongoing) }
}

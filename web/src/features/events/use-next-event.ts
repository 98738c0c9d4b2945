import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CalendarEvent } from '../../api/types'
import { allEventsQuery, firstViewQuery } from './api'
import { startOf } from './event-time'

/** The maximum delay of a timer in milliseconds. */
const maxDelay = 2 ** 31 - 1

/** The first event, by start, that starts now or later (spec §2). */
export function nextEventOf(
  events: readonly CalendarEvent[],
  now: number,
): CalendarEvent | undefined {
  return events
    .map((event) => ({ event, start: startOf(event) }))
    .filter(({ start }) => start >= now)
    .sort((a, b) => a.start - b.start)[0]?.event
}

/** The next event; changes to the following one when it starts. */
export function useNextEvent(): { event: CalendarEvent | undefined; isLoading: boolean } {
  const { data: firstView } = useQuery(firstViewQuery())
  const [now, setNow] = useState(() => Date.now())
  // The next event may be later than the days of the initial data.
  const initial = firstView?.nextEvent
    ? [...firstView.events, firstView.nextEvent]
    : firstView?.events
  const next = initial && nextEventOf(initial, now)
  // The event after it may not be in the initial data.
  const isEnough = firstView && (next !== undefined || !firstView.nextEvent)
  const { data: all, isPending } = useQuery({ ...allEventsQuery(), enabled: !isEnough })
  const event = all ? nextEventOf(all, now) : next
  const start = event && startOf(event)

  useEffect(() => {
    if (start === undefined) return
    const wait = Math.min(start + 1 - Date.now(), maxDelay)
    const timer = setTimeout(() => {
      setNow(Date.now())
    }, wait)
    return () => {
      clearTimeout(timer)
    }
  }, [start])

  return { event, isLoading: !isEnough && isPending }
}

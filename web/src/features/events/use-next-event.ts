import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CalendarEvent } from '../../api/types'
import { allEventsQuery, firstViewQuery } from './api'
import { startOf } from './event-time'

/** Timers can't be set further ahead than this many milliseconds. */
const longestTimer = 2 ** 31 - 1

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

/** The next event, moving on by itself once that event has started. */
export function useNextEvent(): { event: CalendarEvent | undefined; isLoading: boolean } {
  const { data: firstView } = useQuery(firstViewQuery())
  const [now, setNow] = useState(() => Date.now())
  // The next event may lie beyond the days whose events came along.
  const came = firstView?.nextEvent ? [...firstView.events, firstView.nextEvent] : firstView?.events
  const next = came && nextEventOf(came, now)
  // What follows the one that came may lie further ahead still.
  const isEnough = firstView && (next !== undefined || !firstView.nextEvent)
  const { data: all, isPending } = useQuery({ ...allEventsQuery(), enabled: !isEnough })
  const event = all ? nextEventOf(all, now) : next
  const start = event && startOf(event)

  useEffect(() => {
    if (start === undefined) return
    const wait = Math.min(start + 1 - Date.now(), longestTimer)
    const timer = setTimeout(() => {
      setNow(Date.now())
    }, wait)
    return () => {
      clearTimeout(timer)
    }
  }, [start])

  return { event, isLoading: !isEnough && isPending }
}

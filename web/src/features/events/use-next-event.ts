import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { CalendarEvent } from '../../api/types'
import { useClientValue, usePageTime } from '../../lib/hydration'
import { allEventsQuery, initialEventsQuery } from './api'
import { startOf } from './event-time'

/** The maximum delay of a timer in milliseconds. */
const maxDelay = 2 ** 31 - 1

/** The first event, by start, that starts now or later (spec §2). */
export function nextEventOf(
  events: readonly CalendarEvent[],
  now: number,
): CalendarEvent | undefined {
  return startsOf(events).find(({ start }) => start >= now)?.event
}

const startsOf = (events: readonly CalendarEvent[]) =>
  events
    .map((event) => ({ event, start: startOf(event) }))
    .filter(({ start }) => !Number.isNaN(start))
    .sort((a, b) => a.start - b.start)

const nothing: readonly CalendarEvent[] = []

/** The next event; changes to the following one when it starts. */
export function useNextEvent(): { event: CalendarEvent | undefined; isLoading: boolean } {
  const { data: initialEvents } = useQuery(initialEventsQuery())
  // The next event may be later than the days of the initial data.
  const initial = useMemo(
    () =>
      initialEvents?.nextEvent
        ? [...initialEvents.events, initialEvents.nextEvent]
        : initialEvents?.events,
    [initialEvents],
  )
  const next = useNextOf(initial ?? nothing)
  // The event after it may not be in the initial data.
  const isEnough = initialEvents && (next !== undefined || !initialEvents.nextEvent)
  const { data: all, isPending } = useQuery({ ...allEventsQuery(), enabled: !isEnough })
  const nextOfAll = useNextOf(all ?? nothing)

  return { event: all ? nextOfAll : next, isLoading: !isEnough && isPending }
}

function useNextOf(events: readonly CalendarEvent[]): CalendarEvent | undefined {
  const starts = useMemo(() => startsOf(events), [events])
  const nextAt = (now: number) => starts.find(({ start }) => start >= now)?.event
  const subscribe = useCallback(
    (onChange: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const wait = () => {
        const next = starts.find(({ start }) => start >= Date.now())
        if (!next) return
        const delay = Math.min(next.start + 1 - Date.now(), maxDelay)
        timer = setTimeout(() => {
          onChange()
          wait()
        }, delay)
      }
      wait()
      return () => {
        clearTimeout(timer)
      }
    },
    [starts],
  )
  const atFirst = nextAt(usePageTime() ?? 0)?.id ?? null
  const id = useClientValue(() => nextAt(Date.now())?.id ?? null, atFirst, subscribe)
  return starts.find(({ event }) => event.id === id)?.event
}

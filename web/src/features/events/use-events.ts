import { useQuery } from '@tanstack/react-query'
import type { CalendarEvent } from '../../api/types'
import { allEventsQuery, initialEventsQuery, pageEventQuery } from './api'

/** Days from the first to the last, both yyyy-MM-dd and both included. */
export interface Days {
  from: string
  to: string
}

/** The loaded events, and the loading or error state without them. */
export interface EventsResult {
  events: readonly CalendarEvent[] | undefined
  isOffline: boolean
  hasFailed: boolean
  retry: () => void
}

/**
 * The events of `days`, possibly with others. The initial data suffices for its own days; beyond
 * them all events are fetched, once.
 */
export function useEvents({ from, to }: Days): EventsResult {
  const { data: initialEvents } = useQuery(initialEventsQuery())
  const isInitial =
    initialEvents && initialEvents.window.from <= from && to <= initialEvents.window.to
  const all = useQuery({ ...allEventsQuery(), enabled: !isInitial })

  return {
    events: all.data ?? (isInitial ? initialEvents.events : undefined),
    isOffline: !isInitial && all.fetchStatus === 'paused',
    hasFailed: !isInitial && all.isError && !all.isFetching,
    retry: () => void all.refetch(),
  }
}

/** One event by id; `isMissing` once it is certain that it does not exist. */
export function useEvent(id: number | null) {
  const isThis = (event: CalendarEvent) => event.id === id
  const { data: initialEvents } = useQuery(initialEventsQuery())
  const { data: ofPage } = useQuery(pageEventQuery())
  const initial =
    initialEvents?.events.find(isThis) ??
    [initialEvents?.nextEvent, ofPage].find((one) => one?.id === id)
  const isNeeded = id !== null && !initial
  const all = useQuery({ ...allEventsQuery(), enabled: isNeeded })
  const event = id === null ? undefined : (all.data?.find(isThis) ?? initial ?? undefined)

  return {
    event,
    isMissing: isNeeded && !event && !all.isFetching && !all.isPending,
    isOffline: isNeeded && all.fetchStatus === 'paused',
    hasFailed: isNeeded && all.isError && !all.isFetching,
    retry: () => void all.refetch(),
  }
}

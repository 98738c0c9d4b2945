import { useQuery } from '@tanstack/react-query'
import type { CalendarEvent } from '../../api/types'
import { allEventsQuery, firstViewQuery, pageEventQuery } from './api'

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
 * The events of `days`, maybe with others around them. What came with the page is enough for its
 * own days; beyond them all events are fetched, once.
 */
export function useEvents({ from, to }: Days): EventsResult {
  const { data: firstView } = useQuery(firstViewQuery())
  const came = firstView && firstView.window.from <= from && to <= firstView.window.to
  const all = useQuery({ ...allEventsQuery(), enabled: !came })

  return {
    events: all.data ?? (came ? firstView.events : undefined),
    isOffline: !came && all.fetchStatus === 'paused',
    hasFailed: !came && all.isError && !all.isFetching,
    retry: () => void all.refetch(),
  }
}

/** One event by its id; `isMissing` once it is certain that it can't be had. */
export function useEvent(id: number | null) {
  const isThis = (event: CalendarEvent) => event.id === id
  const { data: firstView } = useQuery(firstViewQuery())
  const { data: ofPage } = useQuery(pageEventQuery())
  const came =
    firstView?.events.find(isThis) ?? [firstView?.nextEvent, ofPage].find((one) => one?.id === id)
  const isAsked = id !== null && !came
  const all = useQuery({ ...allEventsQuery(), enabled: isAsked })
  const event = id === null ? undefined : (all.data?.find(isThis) ?? came ?? undefined)

  return {
    event,
    isMissing: isAsked && !event && !all.isFetching && !all.isPending,
    isOffline: isAsked && all.fetchStatus === 'paused',
    hasFailed: isAsked && all.isError && !all.isFetching,
    retry: () => void all.refetch(),
  }
}

import { useQuery } from '@tanstack/react-query'
import type { CalendarEvent } from '../../api/types'
import { eventsQuery, useInitialEvents } from './api'
import { addDays, addMonths, type Days } from './calendar/period'

/** The loaded events, and the loading or error state without them. */
export interface EventsResult {
  events: readonly CalendarEvent[] | undefined
  isOffline: boolean
  hasFailed: boolean
  retry: () => void
}

const contains = (one: Days, other: Days) => one.from <= other.from && other.to <= one.to

/**
 * The days whose events are fetched with those of `days`: their quarters of a year and a month on each side, so that most
 * steps to another month need no request, and none of them shows a placeholder.
 */
export function daysToFetch({ from, to }: Days): Days {
  const quarterOf = (day: string) => addMonths(day, -((Number(day.slice(5, 7)) - 1) % 3))
  return { from: addMonths(quarterOf(from), -1), to: addDays(addMonths(quarterOf(to), 4), -1) }
}

/** The events of `days`, possibly with others. The initial data suffices for its own days. */
export function useEvents(days: Days): EventsResult {
  const { initialEvents, isOutdated } = useInitialEvents()
  const isInitial = initialEvents !== undefined && contains(initialEvents.window, days)
  const fetched = useQuery({
    ...eventsQuery(daysToFetch(days)),
    enabled: !isInitial || isOutdated,
    placeholderData: (previous, query) =>
      query && contains(query.queryKey[2] as Days, days) ? previous : undefined,
  })

  return {
    events: fetched.data ?? (isInitial ? initialEvents.events : undefined),
    isOffline: !isInitial && fetched.fetchStatus === 'paused',
    hasFailed: !isInitial && fetched.isError && !fetched.isFetching,
    retry: () => void fetched.refetch(),
  }
}

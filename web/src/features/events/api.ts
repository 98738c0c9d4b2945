import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { readJson } from '../../api/client'
import type { CalendarEvent, EventSeries, InitialData } from '../../api/types'

/** The events in a page's initial data: all within a range of days, and the next one. */
export type InitialEvents = Pick<
  NonNullable<InitialData['home']>,
  'window' | 'events' | 'nextEvent' | 'nearestEvent'
>

/** The key of all queries about events: they are invalidated together, after sign-in too (spec §4). */
export const eventsKey = ['events'] as const

/** The page's initial data, if any. Never fetched. */
export const initialEventsQuery = () =>
  queryOptions<InitialEvents>({
    queryKey: [...eventsKey, 'initial'],
    queryFn: skipToken,
    gcTime: Infinity,
  })

/** The events in the page's initial data, and whether something about events has changed since. */
export function useInitialEvents() {
  const { data } = useQuery(initialEventsQuery())
  const state = useQueryClient().getQueryState(initialEventsQuery().queryKey)
  return { initialEvents: data, isOutdated: state?.isInvalidated === true }
}

/** The event of an event page, from its initial data. Never fetched. */
export const pageEventQuery = () =>
  queryOptions<CalendarEvent>({
    queryKey: [...eventsKey, 'page'],
    queryFn: skipToken,
    gcTime: Infinity,
  })

/** The series of a series page, from its initial data. Never fetched. */
export const pageSeriesQuery = () =>
  queryOptions<EventSeries>({
    queryKey: [...eventsKey, 'series'],
    queryFn: skipToken,
    gcTime: Infinity,
  })

/** The key of what a query string of the search finds. */
export const searchKey = (queryString: string) => [...eventsKey, 'search', queryString] as const

/** A part of the public events. */
export interface PublicEventsFilter {
  /** First day, yyyy-MM-dd. */
  from?: string
  /** Last day, yyyy-MM-dd. */
  to?: string
  type?: string
  /** The last part of the path of a series. */
  series?: string
  id?: number
  /** At most this number of events, the first by their start. */
  limit?: number
  /** At most this number of events, the last by their start. */
  last?: number
}

/** The public events that a filter selects, when the initial data is not enough: there can be thousands in all. */
export const eventsQuery = (filter: PublicEventsFilter) =>
  queryOptions({
    queryKey: [...eventsKey, 'filtered', filter] as const,
    queryFn: ({ signal }) => {
      const parameters = Object.entries(filter).map(([name, value]) => [name, String(value)])
      const query = new URLSearchParams(parameters).toString()
      return readJson<CalendarEvent[]>(`/api/events?${query}`, { signal })
    },
  })

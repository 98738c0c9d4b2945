import { queryOptions, skipToken } from '@tanstack/react-query'
import { readJson } from '../../api/client'
import type { CalendarEvent, EventSeries, InitialData } from '../../api/types'

/** The events in a page's initial data: all within a range of days, and the next one. */
export type InitialEvents = Pick<
  NonNullable<InitialData['home']>,
  'window' | 'events' | 'nextEvent' | 'laterEvent'
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

/** The events that a search found, from the search page's initial data. Never fetched. */
export const foundEventsQuery = (query: string) =>
  queryOptions<readonly CalendarEvent[]>({
    queryKey: [...eventsKey, 'found', query],
    queryFn: skipToken,
    gcTime: Infinity,
  })

/** All events (spec §7); fetched once, when the initial data is not enough. */
export const allEventsQuery = () =>
  queryOptions({
    queryKey: [...eventsKey, 'all'],
    queryFn: ({ signal }) => readJson<CalendarEvent[]>('/api/events', { signal }),
  })

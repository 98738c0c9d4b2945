import { queryOptions, skipToken } from '@tanstack/react-query'
import { readJson } from '../../api/client'
import type { CalendarEvent, FirstData } from '../../api/types'

/** The events in a page's first data: all of some days, and the next one. */
export type FirstView = Pick<NonNullable<FirstData['home']>, 'window' | 'events' | 'nextEvent'>

/** The key of all queries about events: they are invalidated together, after sign-in too (spec §4). */
export const eventsKey = ['events'] as const

/** The page's first data, if it has any. Never fetched. */
export const firstViewQuery = () =>
  queryOptions<FirstView>({
    queryKey: [...eventsKey, 'first-view'],
    queryFn: skipToken,
    gcTime: Infinity,
  })

/** The event of an event page, from its first data. Never fetched. */
export const pageEventQuery = () =>
  queryOptions<CalendarEvent>({
    queryKey: [...eventsKey, 'page'],
    queryFn: skipToken,
    gcTime: Infinity,
  })

/** Every event there is (spec §7). Asked for once, when what came with the page is not enough. */
export const allEventsQuery = () =>
  queryOptions({
    queryKey: [...eventsKey, 'all'],
    queryFn: ({ signal }) => readJson<CalendarEvent[]>('/api/events', { signal }),
  })

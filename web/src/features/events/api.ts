import { queryOptions, skipToken } from '@tanstack/react-query'
import { readJson } from '../../api/client'
import type { CalendarEvent, FirstData } from '../../api/types'

/** The part of a page's first data that tells of events: all of some days, and the next one. */
export type FirstView = Pick<NonNullable<FirstData['home']>, 'window' | 'events' | 'nextEvent'>

/** All that is known of events goes stale together, after signing in for one (spec §4). */
export const eventsKey = ['events'] as const

/** What came with the page; nothing where it came without. It is never asked for. */
export const firstViewQuery = () =>
  queryOptions<FirstView>({
    queryKey: [...eventsKey, 'first-view'],
    queryFn: skipToken,
    gcTime: Infinity,
  })

/** The event that the page came for. It is never asked for. */
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

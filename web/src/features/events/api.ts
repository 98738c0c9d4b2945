import { queryOptions } from '@tanstack/react-query'
import { readJson } from '../../api/client'
import type { CalendarEvent } from '../../api/types'

/** All that is known of events goes stale together, after signing in for one (spec §4). */
export const eventsKey = ['events'] as const

/** The events that may still be ahead anywhere on earth. The page usually comes with them. */
export const upcomingEventsQuery = () =>
  queryOptions({
    queryKey: [...eventsKey, 'upcoming'],
    queryFn: ({ signal }) =>
      readJson<CalendarEvent[]>(`/api/events?from=${yesterday()}`, { signal }),
  })

/** Yesterday in UTC, yyyy-MM-dd: no zone's clocks are behind it. */
function yesterday(): string {
  return new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
}

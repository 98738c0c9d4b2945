import { useQuery } from '@tanstack/react-query'
import type { CalendarEvent } from '../../api/types'
import { eventsQuery, pageEventQuery, useInitialEvents } from './api'

/**
 * One event by id; `isMissing` once it is certain that it does not exist. Event pages load this file, but not
 * `use-events.ts`.
 */
export function useEvent(id: number | null) {
  const isThis = (event: CalendarEvent) => event.id === id
  const { initialEvents, isOutdated } = useInitialEvents()
  const { data: pageEvent } = useQuery(pageEventQuery())
  const initial =
    initialEvents?.events.find(isThis) ??
    [initialEvents?.nextEvent, pageEvent].find((one) => one?.id === id)
  const isNeeded = id !== null && !initial
  const fetched = useQuery({
    ...eventsQuery({ id: id ?? 0 }),
    enabled: isNeeded || (id !== null && isOutdated),
  })
  const event = id === null ? undefined : (fetched.data?.find(isThis) ?? initial ?? undefined)

  return {
    event,
    isMissing: isNeeded && !event && !fetched.isFetching && !fetched.isPending,
    isOffline: isNeeded && fetched.fetchStatus === 'paused',
    hasFailed: isNeeded && fetched.isError && !fetched.isFetching,
    retry: () => void fetched.refetch(),
  }
}

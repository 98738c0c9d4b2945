import { useQuery, useQueryClient } from '@tanstack/react-query'
import { initialEventsQuery } from './api'

/** The events in the page's initial data, and whether something about events has changed since. */
export function useInitialEvents() {
  const { data } = useQuery(initialEventsQuery())
  const state = useQueryClient().getQueryState(initialEventsQuery().queryKey)
  return { initialEvents: data, isOutdated: state?.isInvalidated === true }
}

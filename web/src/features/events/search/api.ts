import { useQuery } from '@tanstack/react-query'
import { readJson } from '../../../api/client'
import type { FoundEvents } from '../../../api/types'
import { searchKey } from '../api'

/** The number of results on a page. */
export const pageSize = 50

/** The query string of a page of results, from 1, as the server writes it. */
export const resultsQueryString = (query: string, page = 1) =>
  `?${new URLSearchParams({ q: query, ...(page > 1 && { page: String(page) }) }).toString()}`

/**
 * The events that a query string of the search finds; earlier results stay while others load. `hasFailed` is true as
 * well when they can't be loaded without a connection.
 */
export function useSearch(queryString: string, enabled: boolean) {
  const found = useQuery({
    queryKey: searchKey(queryString),
    queryFn: ({ signal }) => readJson<FoundEvents>(`/api/search${queryString}`, { signal }),
    enabled,
    placeholderData: (previous) => previous,
  })
  const isWaiting = found.isPending || found.isPlaceholderData
  return { found, hasFailed: found.isError || (found.fetchStatus === 'paused' && isWaiting) }
}

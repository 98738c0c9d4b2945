import { type QueryClient, queryOptions, skipToken } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { InitialData, PageInterest, Site } from '../api/types'
import {
  initialEventsQuery,
  pageEventQuery,
  pageSeriesQuery,
  searchKey,
} from '../features/events/api'
import { homeContentQuery } from '../features/page-content/api'

/** Reads the data that the server wrote into the page. */
export function readInitialData(): InitialData {
  const script = document.getElementById('initial-data')
  if (!script?.textContent) throw new Error('The page has no initial data')
  return JSON.parse(script.textContent) as InitialData
}

/** The interest in the event of an attendance page or a preview, from its initial data. Never fetched. */
export const pageInterestQuery = () =>
  queryOptions<PageInterest>({ queryKey: ['page-interest'], queryFn: skipToken, gcTime: Infinity })

/** Seeds the query cache with the page's initial data, which saves the requests. */
export function seedQueries(
  queryClient: QueryClient,
  { home, event, series, interest, found, query }: InitialData,
): void {
  if (interest) queryClient.setQueryData(pageInterestQuery().queryKey, interest)
  if (event) queryClient.setQueryData(pageEventQuery().queryKey, event)
  if (series) queryClient.setQueryData(pageSeriesQuery().queryKey, series)
  if (found) queryClient.setQueryData(searchKey(query), found)
  if (!home) return
  const { content, ...initialEvents } = home
  queryClient.setQueryData(homeContentQuery().queryKey, content ?? null)
  queryClient.setQueryData(initialEventsQuery().queryKey, initialEvents)
}

/** The company's data. */
export const SiteContext = createContext<Site | null>(null)

/** The company's data from the page's initial data. */
export function useSite(): Site {
  const site = use(SiteContext)
  if (!site) throw new Error('useSite needs a SiteContext')
  return site
}

import './server-globals'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom/server'
import { createQueryClient } from './api/query-client'
import type { FirstData } from './api/types'
import { seedQueries } from './app/first-data'
import { loadLaterParts } from './app/later-parts'
import { Providers } from './app/providers'
import { missingChunk, Router } from './app/router'
import { eventsFor } from './features/events/search/search-index'

/** Loads the screens that the server renders; called once. */
export async function load(): Promise<void> {
  const screens = ['/events/1', '/embed', '/search', '/404'].map(async (path) =>
    missingChunk(path)?.load(),
  )
  await Promise.all([...screens, loadLaterParts()])
}

// The browser finds images as early without them, in the same response.
const preloads = /^(?:<link rel="preload"[^>]*>)+/

/** The ids of the events in a search page's initial data that a query finds, as JSON. */
export function find(query: string, firstData: string): string {
  const { found } = JSON.parse(firstData) as FirstData
  return JSON.stringify(eventsFor(found ?? [], query, 0).map(({ id }) => id))
}

/** The markup of the page at `address`; `firstData` is its initial data as JSON. */
export function render(address: string, firstData: string): string {
  const data = JSON.parse(firstData) as FirstData
  const queryClient = createQueryClient()
  seedQueries(queryClient, data)
  const markup = renderToString(
    <Providers queryClient={queryClient} firstData={data}>
      <StaticRouter location={address}>
        <Router />
      </StaticRouter>
    </Providers>,
  )
  queryClient.clear()
  // React leaves a part that threw to the browser.
  if (markup.includes('<!--$!-->')) throw new Error('A component threw or waits for something')
  return markup.replace(preloads, '')
}

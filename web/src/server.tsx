import './server-polyfills'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom/server'
import { createQueryClient } from './api/query-client'
import type { InitialData } from './api/types'
import { seedQueries } from './app/initial-data'
import { homeSections } from './app/lazy-sections'
import { Providers } from './app/providers'
import { AppRoutes, codeToLoad } from './app/router'

/** Loads the routes that the server renders; called once. */
export async function load(): Promise<void> {
  const routes = ['/events/1', '/series/1', '/embed', '/search', '/404'].map(async (path) =>
    codeToLoad(path)?.load(),
  )
  await Promise.all([...routes, homeSections.load()])
}

// Preloads of images are useless: their elements are in the same response.
const preloads = /^(?:<link rel="preload"[^>]*>)+/

/** The markup of the page at `url`; `initialData` is its initial data as JSON. */
export function render(url: string, initialData: string): string {
  const data = JSON.parse(initialData) as InitialData
  const queryClient = createQueryClient()
  seedQueries(queryClient, data)
  const markup = renderToString(
    <Providers queryClient={queryClient} initialData={data}>
      <StaticRouter location={url}>
        <AppRoutes />
      </StaticRouter>
    </Providers>,
  )
  queryClient.clear()
  // React leaves a boundary whose component threw or suspended to the browser.
  if (markup.includes('<!--$!-->')) throw new Error('A component threw or suspended')
  return markup.replace(preloads, '')
}

import './styles/tokens.css'
import './styles/fonts.css'
import './styles/base.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createQueryClient, watchWindowFocus } from './api/query-client'
import type { FirstData } from './api/types'
import { ErrorPage } from './app/error-page'
import { readFirstData, seedQueries } from './app/first-data'
import { PageRouter } from './app/page-router'
import { Providers } from './app/providers'
import { missingChunk, Router } from './app/router'
import { logProblem } from './lib/log-problem'

/** The paths that the server rendered in place of an address where nothing is. */
const pathsOfMissing: Partial<Record<FirstData['page'], string>> = {
  'not-found': '/404',
  deleted: '/410',
}

/** Hydrates the server's markup; a page that came without it is rendered here. */
async function start(root: HTMLElement) {
  const firstData = readFirstData()
  const queryClient = createQueryClient()
  seedQueries(queryClient, firstData)
  watchWindowFocus()
  const isServed = root.hasChildNodes()
  // The server has no event at an address that could be one's, for example.
  const pathname = pathsOfMissing[firstData.page] ?? location.pathname
  await missingChunk(pathname)?.load()

  const page = (
    <StrictMode>
      <Providers queryClient={queryClient} firstData={firstData}>
        <PageRouter served={isServed ? { pathname, search: firstData.query } : undefined}>
          <Router />
        </PageRouter>
      </Providers>
    </StrictMode>
  )
  // In slices, between which the browser handles input.
  startTransition(() => {
    if (isServed) hydrateRoot(root, page, { onRecoverableError: reportMismatch })
    else createRoot(root).render(page)
  })
  // From here on React handles taps on all but later parts, hydrated or not; an earlier tap is repeated.
  document.dispatchEvent(new Event('lectern:ready'))
}

/** The markup differs from the server's; React renders that part again. */
function reportMismatch(error: unknown) {
  logProblem('Hydration failed', error)
}

const root = document.getElementById('root')
if (root) {
  start(root).catch((cause: unknown) => {
    logProblem('The application could not start', cause)
    document.dispatchEvent(new Event('lectern:failed'))
    // The server's markup stays: it can be read, and its links and forms work.
    if (!root.hasChildNodes()) createRoot(root).render(<ErrorPage />)
  })
}

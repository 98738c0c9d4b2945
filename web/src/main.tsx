import './styles/tokens.css'
import './styles/fonts.css'
import './styles/base.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createQueryClient, watchWindowFocus } from './api/query-client'
import type { InitialData } from './api/types'
import { ErrorPage } from './app/error-page'
import { readInitialData, seedQueries } from './app/initial-data'
import { BrowserRouter } from './app/browser-router'
import { Providers } from './app/providers'
import { AppRoutes, codeToLoad } from './app/router'

/** The paths that the server rendered for a URL without a page. */
const pathsOfMissing: Partial<Record<InitialData['page'], string>> = {
  'not-found': '/404',
  deleted: '/410',
}

/** Hydrates the server's markup, or renders the page if the response has none. */
async function start(root: HTMLElement) {
  const initialData = readInitialData()
  const queryClient = createQueryClient()
  seedQueries(queryClient, initialData)
  watchWindowFocus()
  const isServed = root.hasChildNodes()
  // The server may know that the event at this URL does not exist, for example.
  const pathname = pathsOfMissing[initialData.page] ?? location.pathname
  await codeToLoad(pathname)?.load()

  const page = (
    <StrictMode>
      <Providers queryClient={queryClient} initialData={initialData}>
        <BrowserRouter
          serverLocation={isServed ? { pathname, search: initialData.query } : undefined}
        >
          <AppRoutes />
        </BrowserRouter>
      </Providers>
    </StrictMode>
  )
  // A transition yields to the browser's input.
  startTransition(() => {
    if (isServed) hydrateRoot(root, page, { onRecoverableError: reportMismatch })
    else createRoot(root).render(page)
  })
  // From here on React handles clicks outside of lazy sections; `early_clicks.js` replays an earlier one.
  document.dispatchEvent(new Event('lectern:ready'))
}

/** The markup differs from the server's; React renders that boundary again. */
function reportMismatch(error: unknown) {
  console.warn('Hydration failed', error)
}

const root = document.getElementById('root')
if (root) {
  start(root).catch((cause: unknown) => {
    console.warn('The application could not start', cause)
    document.dispatchEvent(new Event('lectern:failed'))
    // The server's markup stays: it can be read, and its links and forms work.
    if (!root.hasChildNodes()) createRoot(root).render(<ErrorPage />)
  })
}

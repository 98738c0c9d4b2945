import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter, useNavigate } from 'react-router-dom'
import { createQueryClient } from '../api/query-client'
import type { InitialData } from '../api/types'
import { BrowserRouter } from '../app/browser-router'
import { seedQueries } from '../app/initial-data'
import { Providers } from '../app/providers'
import { AppRoutes } from '../app/router'
import { Toaster } from '../components/ui/toaster'
import { aSite } from './factories'

/** Renders a component with the toaster at `path`, for a simulated user. */
export function renderComponent(part: ReactNode, path = '/') {
  const queryClient = createQueryClient()
  const view = render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[path]}>
        {part}
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  return { ...view, queryClient, user: userEvent.setup() }
}

/** A button that goes back, as the browser's does. */
export function BackButton() {
  const navigate = useNavigate()
  return (
    <button
      onClick={() => {
        navigate(-1)
      }}
    >
      Back
    </button>
  )
}

/** Opens the site at `path` with the data that the server writes into that page. */
export function renderSite(
  path: string,
  {
    home = null,
    event = null,
    interest = null,
    site = {},
  }: {
    home?: InitialData['home']
    event?: InitialData['event']
    interest?: InitialData['interest']
    site?: Partial<InitialData['site']>
  } = {},
) {
  window.history.replaceState(null, '', path)
  const initialData: InitialData = {
    site: aSite(site),
    page: home ? 'home' : 'other',
    query: '',
    renderedAsOf: new Date().toISOString(),
    home,
    event,
    interest,
    found: null,
  }
  const queryClient = createQueryClient()
  seedQueries(queryClient, initialData)
  const view = render(
    <Providers queryClient={queryClient} initialData={initialData}>
      <BrowserRouter serverLocation={undefined}>
        <AppRoutes />
      </BrowserRouter>
    </Providers>,
  )
  return { ...view, queryClient, user: userEvent.setup() }
}

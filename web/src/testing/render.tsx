import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { createQueryClient } from '../api/query-client'
import type { FirstData } from '../api/types'
import { seedQueries } from '../app/first-data'
import { PageRouter } from '../app/page-router'
import { Providers } from '../app/providers'
import { Router } from '../app/router'
import { Toaster } from '../components/ui/toaster'
import { aSite } from './factories'

/** Renders a component with the toaster at `path`, for a simulated user. */
export function renderPart(part: ReactNode, path = '/') {
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

/** Opens the site at `path` with the data that the server writes into that page. */
export function renderSite(
  path: string,
  {
    home = null,
    event = null,
    attendance = null,
    site = {},
  }: {
    home?: FirstData['home']
    event?: FirstData['event']
    attendance?: FirstData['attendance']
    site?: Partial<FirstData['site']>
  } = {},
) {
  window.history.replaceState(null, '', path)
  const firstData: FirstData = {
    site: aSite(site),
    page: home ? 'home' : 'other',
    query: '',
    madeAt: new Date().toISOString(),
    home,
    event,
    attendance,
    found: null,
  }
  const queryClient = createQueryClient()
  seedQueries(queryClient, firstData)
  const view = render(
    <Providers queryClient={queryClient} firstData={firstData}>
      <PageRouter served={undefined}>
        <Router />
      </PageRouter>
    </Providers>,
  )
  return { ...view, queryClient, user: userEvent.setup() }
}

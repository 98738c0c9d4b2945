import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { BrowserRouter } from 'react-router'
import type { Site } from '../api/types'
import { ErrorBoundary } from './error-boundary'
import { SiteContext } from './first-data'

interface ProvidersProps {
  queryClient: QueryClient
  site: Site
  children: ReactNode
}

/** The error boundary and the context providers around all screens. */
export function Providers({ queryClient, site, children }: ProvidersProps) {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <SiteContext value={site}>
          <BrowserRouter>{children}</BrowserRouter>
        </SiteContext>
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

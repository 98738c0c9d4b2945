import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { InitialData } from '../api/types'
import { PageTimeContext } from '../lib/hydration'
import { ErrorBoundary } from './error-page'
import { SiteContext } from './initial-data'

interface ProvidersProps {
  queryClient: QueryClient
  initialData: Pick<InitialData, 'site' | 'renderedAsOf'>
  /** A router with the routes. */
  children: ReactNode
}

/** The error boundary and the context providers around all routes, on the server too. */
export function Providers({ queryClient, initialData, children }: ProvidersProps) {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <SiteContext value={initialData.site}>
          <PageTimeContext value={Date.parse(initialData.renderedAsOf)}>{children}</PageTimeContext>
        </SiteContext>
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FirstData } from '../api/types'
import { PageTimeContext } from '../lib/first-render'
import { ErrorBoundary } from './error-boundary'
import { SiteContext } from './first-data'

interface ProvidersProps {
  queryClient: QueryClient
  firstData: Pick<FirstData, 'site' | 'madeAt'>
  /** A router with the screens. */
  children: ReactNode
}

/** The error boundary and the context providers around all screens, on the server too. */
export function Providers({ queryClient, firstData, children }: ProvidersProps) {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <SiteContext value={firstData.site}>
          <PageTimeContext value={Date.parse(firstData.madeAt)}>{children}</PageTimeContext>
        </SiteContext>
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

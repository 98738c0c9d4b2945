import { focusManager, QueryClient } from '@tanstack/react-query'

/** Creates the cache with the defaults of spec §9: never stale, never refetched, never retried. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        refetchInterval: false,
        refetchOnWindowFocus: false,
        staleTime: Infinity,
        retry: false,
      },
      mutations: { retry: false },
    },
  })
}

/**
 * Refetches on window focus too; by default the library only listens for the tab's visibility
 * (spec §4: the user is fetched on window focus). Applies to queries with `refetchOnWindowFocus`.
 */
export function watchWindowFocus(): void {
  focusManager.setEventListener((onFocus) => {
    const onChange = () => {
      onFocus()
    }
    window.addEventListener('focus', onChange)
    document.addEventListener('visibilitychange', onChange)
    return () => {
      window.removeEventListener('focus', onChange)
      document.removeEventListener('visibilitychange', onChange)
    }
  })
}

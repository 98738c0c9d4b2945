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
 * Lets queries that ask for it follow the window's focus, not only the tab's visibility, which is
 * all that the library watches by itself (spec §4: the user is fetched on window focus).
 */
export function watchWindowFocus(): void {
  focusManager.setEventListener((refocused) => {
    const onChange = () => {
      refocused()
    }
    window.addEventListener('focus', onChange)
    document.addEventListener('visibilitychange', onChange)
    return () => {
      window.removeEventListener('focus', onChange)
      document.removeEventListener('visibilitychange', onChange)
    }
  })
}

import { queryOptions } from '@tanstack/react-query'

/**
 * A component whose code is loaded on demand. A query loads it once, reports errors, can be retried
 * and waits while offline.
 */
export const lazyPartQuery = <Part>(name: string, load: () => Promise<Part>) =>
  queryOptions({
    queryKey: ['part', name],
    queryFn: load,
    structuralSharing: false,
    gcTime: Infinity,
  })

import { queryOptions } from '@tanstack/react-query'

/**
 * A part of the page whose code is loaded on demand. As a query it is loaded once, reports failure,
 * can be retried, and waits while offline.
 */
export const lazyPartQuery = <Part>(name: string, load: () => Promise<Part>) =>
  queryOptions({
    queryKey: ['part', name],
    queryFn: load,
    structuralSharing: false,
    gcTime: Infinity,
  })

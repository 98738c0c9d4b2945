import { queryOptions } from '@tanstack/react-query'

/**
 * A part of the page whose code is loaded when it is wanted. As a query it is loaded once, tells
 * that it failed, can be tried again, and waits for a lost connection.
 */
export const partQuery = <Part>(name: string, load: () => Promise<Part>) =>
  queryOptions({
    queryKey: ['part', name],
    queryFn: load,
    structuralSharing: false,
    gcTime: Infinity,
  })

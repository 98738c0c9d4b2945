import { queryOptions, useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { readJson, writeJson } from '../../api/client'
import type { Interest } from '../../api/types'
import { getVisitorId } from './visitor-id'

/**
 * The interest in an event, as the API names it: whether this visitor plans to attend, and how many do. A failure is
 * logged without a message and gives the cached value, else no interest (spec §8). It is refetched by each component
 * that shows it and on window focus, as another tab may have changed it.
 */
export const interestQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['interest', eventId],
    queryFn: async ({ signal, client, queryKey }): Promise<Interest> => {
      const visitorId = encodeURIComponent(getVisitorId())
      try {
        const path = `/api/events/${eventId}/interest?userId=${visitorId}`
        return await readJson<Interest>(path, { signal })
      } catch (cause) {
        if (signal.aborted) throw cause
        console.warn('Failed to fetch interest', cause)
        return client.getQueryData<Interest>(queryKey) ?? { count: 0, hasInterest: false }
      }
    },
    staleTime: 0,
    refetchOnWindowFocus: true,
  })

/** An action of a visitor: be added, be removed, or `indicate`, the request without a body. */
export type InterestAction = 'add' | 'remove' | 'indicate'

/**
 * Records whether the visitor plans to attend (spec §7). While a change is pending, in any component,
 * further ones are ignored; after a failure the state is refetched.
 */
export function useChangeInterest(eventId: number) {
  const queryClient = useQueryClient()
  const { queryKey } = interestQuery(eventId)
  const mutationKey = ['interest', eventId]

  const { mutateAsync } = useMutation({
    mutationKey,
    // Offline it fails at once, instead of waiting for a connection.
    networkMode: 'always',
    mutationFn: (action: InterestAction) => {
      const path = `/api/events/${eventId}/interest`
      // Without a body the visitor is the one in the cookie, which this writes if it is missing.
      const userId = getVisitorId()
      return action === 'indicate'
        ? writeJson<Interest>('POST', path)
        : writeJson<Interest>('PUT', path, { action, userId })
    },
    // A response requested before the change would undo it on the screen.
    onMutate: () => queryClient.cancelQueries({ queryKey }),
    onSuccess: async (interest) => {
      await queryClient.cancelQueries({ queryKey })
      if (interest) queryClient.setQueryData(queryKey, interest)
    },
    onError: () => {
      void queryClient.invalidateQueries({ queryKey })
    },
  })

  return {
    isPending: useIsMutating({ mutationKey }) > 0,
    change: (action: InterestAction, onDone: () => void, onFailed: (cause: unknown) => void) => {
      if (queryClient.isMutating({ mutationKey }) > 0) return
      // Also when the component is gone, such as a closed dialog.
      mutateAsync(action).then(onDone, onFailed)
    },
  }
}

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readJson, writeJson } from '../../api/client'
import type { Interest } from '../../api/types'
import { logProblem } from '../../lib/log-problem'

/**
 * An event's interest as this visitor sees it. A failure is logged and counts as nobody, with no
 * message, unless more is known already (spec §8). Unlike other data it is asked for again by each
 * part that shows it and when the window is focused: another tab may have changed it.
 */
export const interestQuery = (eventId: number, visitorId: string) =>
  queryOptions({
    queryKey: ['interest', eventId, visitorId],
    queryFn: async ({ signal, client, queryKey }): Promise<Interest> => {
      const path = `/api/events/${eventId}/interest?userId=${encodeURIComponent(visitorId)}`
      try {
        return await readJson<Interest>(path, { signal })
      } catch (cause) {
        if (signal.aborted) throw cause
        logProblem('Failed to fetch interest', cause)
        return client.getQueryData<Interest>(queryKey) ?? { count: 0, hasInterest: false }
      }
    },
    staleTime: 0,
    refetchOnWindowFocus: true,
  })

/** What a visitor can do about an event: be added, be removed, or `indicate` with no more said. */
export type InterestAction = 'add' | 'remove' | 'indicate'

/**
 * Says that the visitor plans to attend, or no longer does (spec §7). While one change is on its
 * way another is ignored; after a failure the true state is asked for.
 */
export function useChangeInterest(eventId: number, visitorId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = interestQuery(eventId, visitorId)
  const mutationKey = ['interest', eventId]

  const { mutate, isPending } = useMutation({
    mutationKey,
    // Without a connection it fails at once, rather than wait for one.
    networkMode: 'always',
    mutationFn: (action: InterestAction) => {
      const path = `/api/events/${eventId}/interest`
      return action === 'indicate'
        ? writeJson<Interest>('POST', path)
        : writeJson<Interest>('PUT', path, { action, userId: visitorId })
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

  const change: typeof mutate = (action, options) => {
    if (queryClient.isMutating({ mutationKey }) === 0) mutate(action, options)
  }
  return { change, isPending }
}

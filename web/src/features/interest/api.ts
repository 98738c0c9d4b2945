import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readJson, writeJson } from '../../api/client'
import type { Interest } from '../../api/types'
import { logProblem } from '../../lib/log-problem'

/**
 * An event's interest as this visitor sees it. A failure is logged and counts as nobody, with no
 * message (spec §8).
 */
export const interestQuery = (eventId: number, visitorId: string) =>
  queryOptions({
    queryKey: ['interest', eventId, visitorId],
    queryFn: async ({ signal }): Promise<Interest> => {
      const path = `/api/events/${eventId}/interest?userId=${encodeURIComponent(visitorId)}`
      try {
        return await readJson<Interest>(path, { signal })
      } catch (cause) {
        if (signal.aborted) throw cause
        logProblem('Failed to fetch interest', cause)
        return { count: 0, hasInterest: false }
      }
    },
  })

/** Says that the visitor plans to attend, or no longer does (spec §7). */
export function useSetInterest(eventId: number, visitorId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (action: 'add' | 'remove') =>
      writeJson<Interest>('PUT', `/api/events/${eventId}/interest`, { action, userId: visitorId }),
    onSuccess: (interest) => {
      if (interest) {
        queryClient.setQueryData(interestQuery(eventId, visitorId).queryKey, interest)
      }
    },
  })
}

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, writeJson } from '../../api/client'
import type { User } from '../../api/types'
import { keep, recall } from '../../lib/storage'
import { leavePage } from '../../lib/leave-page'
import { logProblem } from '../../lib/log-problem'

/** Remembers that an admin was signed in here, so that the header can hold their controls' place. */
const wasAdminKey = 'lectern.was-admin'

/** The signed-in user, null when signed out; fetched on load and on window focus (spec §4). */
export const userQuery = () =>
  queryOptions({
    queryKey: ['user'],
    queryFn: ({ signal }) => fetchUser(signal),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

async function fetchUser(signal: AbortSignal): Promise<User | null> {
  const response = await fetch(`/api/user?t=${Date.now()}`, {
    cache: 'no-store',
    credentials: 'include',
    signal,
  })
  if (!response.ok && response.status !== 401) {
    throw new ApiError('Failed to fetch user', response.status)
  }
  // Read to its end either way: an answer left unread keeps its connection busy.
  const body = await response.text()
  const user = response.ok ? (JSON.parse(body) as User) : null
  keep(wasAdminKey, user?.role === 'admin' ? 'yes' : null)
  return user
}

/** Who is signed in. A failure to find out counts as signed out (spec §8). */
export function useSession() {
  const { data, isPending } = useQuery(userQuery())
  const user = data ?? null
  return {
    user,
    isLoading: isPending,
    isAdmin: user?.role === 'admin',
    /** While the user loads: whether the last one here was an admin. */
    wasAdmin: recall(wasAdminKey) === 'yes',
  }
}

/** Signs out: clears all cached data and goes to the site root, even if it fails (spec §4). */
export function useLogout(home: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => writeJson('POST', '/api/auth/logout'),
    onError: (cause) => {
      logProblem('Logout failed', cause)
    },
    onSettled: () => {
      keep(wasAdminKey, null)
      queryClient.clear()
      queryClient.setQueryData(userQuery().queryKey, null)
      leavePage(home)
    },
  })
}

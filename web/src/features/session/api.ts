import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, writeJson } from '../../api/client'
import type { User } from '../../api/types'
import { leavePage } from '../../lib/leave-page'
import { logProblem } from '../../lib/log-problem'
import { readStored, writeStored } from '../../lib/storage'

/** Remembers that an admin was signed in here, so that the header can hold their controls' place. */
const wasAdminKey = 'lectern.was-admin'

interface Asking {
  /** Asks the server even where nothing speaks for a session; for the pages about signing in. */
  isCertain?: boolean
}

/**
 * The signed-in user, null when signed out; fetched on load and on window focus (spec §4). Where
 * the server left no hint of a session there is nobody to ask about.
 */
export const userQuery = ({ isCertain = false }: Asking = {}) =>
  queryOptions({
    queryKey: ['user'],
    queryFn: ({ signal }) => (isCertain || hasSignInHint() ? fetchUser(signal) : forgetUser()),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    // Offline it fails at once, instead of keeping its page waiting.
    networkMode: 'always',
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
  // Read the body in any case: an unread response keeps its connection busy.
  const body = await response.text()
  const user = response.ok ? (JSON.parse(body) as User) : null
  writeStored(wasAdminKey, user?.role === 'admin' ? 'yes' : null)
  return user
}

function forgetUser(): null {
  writeStored(wasAdminKey, null)
  return null
}

/** Who is signed in. A failure to find out counts as signed out (spec §8). */
export function useSession(asking: Asking = {}) {
  const { data, isPending, isFetchedAfterMount } = useQuery(userQuery(asking))
  const user = data ?? null
  return {
    user,
    isLoading: isPending || (asking.isCertain === true && !isFetchedAfterMount),
    isAdmin: user?.role === 'admin',
    /** While the user loads: whether the last one here was an admin. */
    wasAdmin: readStored(wasAdminKey) === 'yes' && hasSignInHint(),
  }
}

/** The user that `RequireAdmin` let into the portal, without another request. */
export function useKnownUser(): User | null {
  return useQuery({ ...userQuery({ isCertain: true }), refetchOnMount: false }).data ?? null
}

/** Signs out: clears all cached data and goes to the site root, even if it fails (spec §4). */
export function useLogout(home: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => writeJson('POST', '/api/auth/logout'),
    networkMode: 'always',
    onError: (cause) => {
      logProblem('Logout failed', cause)
    },
    onSettled: () => {
      writeStored(wasAdminKey, null)
      queryClient.clear()
      queryClient.setQueryData(userQuery().queryKey, null)
      leavePage(home)
    },
  })
}

/**
 * Whether the server left the cookie that says that somebody signed in here. The session's own
 * cookie is hidden from scripts; this one only spares visitors a question whose answer is known.
 */
export function hasSignInHint(): boolean {
  return document.cookie.split('; ').includes('lectern_signed_in=1')
}

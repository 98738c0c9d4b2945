import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, writeJson } from '../../api/client'
import type { User } from '../../api/types'
import { loadPage } from '../../lib/load-page'
import { useClientValue } from '../../lib/hydration'
import { readStored, writeStored } from '../../lib/storage'

/** Storage key: an admin was signed in here, so the header reserves space for their controls. */
const wasAdminKey = 'lectern.was-admin'

interface UserQueryOptions {
  /** Sends the request even without the sign-in cookie; for the sign-in pages and the portal. */
  mustFetch?: boolean
}

/**
 * The signed-in user, null when signed out; fetched on load and on window focus (spec §4). Without
 * the sign-in cookie no request is sent.
 */
export const userQuery = ({ mustFetch = false }: UserQueryOptions = {}) =>
  queryOptions({
    queryKey: ['user'],
    queryFn: ({ signal }) => (mustFetch || hasSignInHint() ? fetchUser(signal) : null),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    // Offline it fails at once, instead of waiting for a connection.
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

/** The signed-in user. A failed request counts as signed out (spec §8). */
export function useSession(options: UserQueryOptions = {}) {
  const { mustFetch = false } = options
  const hasHint = useClientValue(hasSignInHint, false, watchSignInHint)
  const enabled = mustFetch || hasHint
  const { data, isPending, isFetchedAfterMount } = useQuery({ ...userQuery(options), enabled })
  const user = enabled ? (data ?? null) : null
  return {
    user,
    isLoading: (enabled && isPending) || (mustFetch && !isFetchedAfterMount),
    isAdmin: user?.role === 'admin',
    /** While the user loads: whether the last one here was an admin. */
    wasAdmin: hasHint && readStored(wasAdminKey) === 'yes',
  }
}

/** Signs out: clears all cached data and goes to the site root, even if it fails (spec §4). */
export function useSignOut(home: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => writeJson('POST', '/api/auth/logout'),
    networkMode: 'always',
    onError: (cause) => {
      console.warn('Logout failed', cause)
    },
    onSettled: () => {
      writeStored(wasAdminKey, null)
      queryClient.clear()
      queryClient.setQueryData(userQuery().queryKey, null)
      loadPage(home)
    },
  })
}

/**
 * Whether the server set the sign-in cookie that scripts can read. The session cookie itself is
 * `HttpOnly`; this one spares visitors a request that would be a 401.
 */
export function hasSignInHint(): boolean {
  return document.cookie.split('; ').includes('lectern_signed_in=1')
}

/** Calls `onChange` when the window is focused: the user may have signed in or out in another tab. */
function watchSignInHint(onChange: () => void): () => void {
  window.addEventListener('focus', onChange)
  document.addEventListener('visibilitychange', onChange)
  return () => {
    window.removeEventListener('focus', onChange)
    document.removeEventListener('visibilitychange', onChange)
  }
}

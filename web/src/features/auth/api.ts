import { useLayoutEffect } from 'react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, writeJson } from '../../api/client'
import type { User } from '../../api/types'
import { showToastAcrossPages } from '../../components/ui/toast-store'
import { loadPage } from '../../lib/load-page'
import { useClientValue } from '../../lib/hydration'

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
  return response.ok ? (JSON.parse(body) as User) : null
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
  }
}

/**
 * Keeps `data-signed-in`, for which the header and the event's page reserve space for the controls of admins, up to date:
 * `early_clicks.js` sets it before the first paint, from the same cookie.
 */
export function useSignedInAttribute(): void {
  const { isLoading, isAdmin } = useSession()
  useLayoutEffect(() => {
    const isSignedIn = isAdmin || hasSignInHint()
    document.documentElement.toggleAttribute('data-signed-in', isSignedIn)
  }, [isLoading, isAdmin])
}

/**
 * Signs out: clears all cached data and goes to the site root, even if it fails (spec §4). A toast
 * says so there (spec §8), because the user is still signed in.
 */
export function useSignOut(home: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      // What is still loading would fail without a session.
      await queryClient.cancelQueries()
      return writeJson('POST', '/api/auth/logout')
    },
    networkMode: 'always',
    onError: (cause) => {
      console.warn('Logout failed', cause)
      showToastAcrossPages({
        title: 'Error',
        description: 'Logout failed',
        variant: 'destructive',
      })
    },
    onSettled: () => {
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

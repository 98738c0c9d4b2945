import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, readJson, writeJson } from '../../api/client'
import { useCreate, useFormSave } from '../../api/forms'
import type { ErrorBody, SaveUser, User } from '../../api/types'

const usersKey = ['users'] as const

/** All users: stale after 5 s, one retry, not refetched on focus (spec §9). */
export const usersQuery = () =>
  queryOptions({
    queryKey: usersKey,
    queryFn: async ({ signal }): Promise<readonly User[]> => {
      try {
        const body = await readJson<readonly User[] | ErrorBody>('/api/users', { signal })
        if (!('error' in body)) return body
        if (body.error === 'Not authenticated') return []
        throw new Error(body.error)
      } catch (cause) {
        // Signed out is a state of the tab, not a failure (spec §7).
        if (cause instanceof ApiError && cause.status === 401) return []
        throw cause
      }
    },
    staleTime: 5000,
    retry: 1,
    refetchOnWindowFocus: false,
    networkMode: 'always',
  })

/** Creates a user, or changes the one with this id. */
export function useSaveUser(id: number | null) {
  const queryClient = useQueryClient()
  const { create } = useCreate<User>('/api/users', { isSecret: true })
  return useFormSave({
    mutationFn: (user: SaveUser) =>
      id === null ? create(user) : writeJson<User>('PUT', `/api/users/${id}`, user),
    onSuccess: async () => {
      // The signed-in user's own email may have changed.
      void queryClient.invalidateQueries({ queryKey: ['user'] })
      await queryClient.invalidateQueries({ queryKey: usersKey })
    },
  })
}

/** Deletes a user, whose sessions end at once. */
export function useDeleteUser(id: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => writeJson('DELETE', `/api/users/${id}`),
    networkMode: 'always',
    onSuccess: () => queryClient.invalidateQueries({ queryKey: usersKey }),
  })
}

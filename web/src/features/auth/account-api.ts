import { useQuery } from '@tanstack/react-query'
import { writeJson } from '../../api/client'
import type { ChangePassword, EndedSessions, User } from '../../api/types'
import { userQuery } from './api'

/** The signed-in user within `RequireAdmin`, without another request. */
export function useCurrentUser(): User | null {
  return useQuery({ ...userQuery({ mustFetch: true }), refetchOnMount: false }).data ?? null
}

/** Changes the own password, which ends the user's other sessions. */
export const changePassword = (body: ChangePassword) =>
  writeJson<EndedSessions>('PUT', '/api/user/password', body)

/** Ends the user's other sessions. */
export const endOtherSessions = () => writeJson<EndedSessions>('DELETE', '/api/user/other-sessions')

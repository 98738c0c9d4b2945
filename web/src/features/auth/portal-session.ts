import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { onSessionEnd } from '../../api/client'
import type { User } from '../../api/types'
import { userQuery } from './api'

/** The signed-in user within `RequireAdmin`, without another request. */
export function useCurrentUser(): User | null {
  return useQuery({ ...userQuery({ mustFetch: true }), refetchOnMount: false }).data ?? null
}

/** The session since the portal was opened; after it expires, the user is prompted to sign in. */
export type SessionState = 'active' | 'prompting' | 'declined'

let state: SessionState = 'active'
let pending: ((isSignedIn: boolean) => void)[] = []
const listeners = new Set<() => void>()

function change(next: SessionState) {
  state = next
  for (const listener of listeners) listener()
}

/** Asks the user to sign in again; concurrent requests share one dialog and its result. */
export function requestSignIn(): Promise<boolean> {
  change('prompting')
  return new Promise((resolve) => {
    pending.push(resolve)
  })
}

/** Closes the dialog and resumes the requests that wait for it. */
export function resolveSignInAgain(isSignedIn: boolean): void {
  change(isSignedIn ? 'active' : 'declined')
  const callbacks = pending
  pending = []
  for (const resolve of callbacks) resolve(isSignedIn)
}

/** The state of the portal's session. */
export function useSessionState(): SessionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
}

/** While mounted, requests that get a 401 ask to sign in again and are then repeated. */
export function useSignInAgain(): void {
  useEffect(() => {
    onSessionEnd(requestSignIn)
    return () => {
      onSessionEnd(null)
      resolveSignInAgain(false)
      change('active')
    }
  }, [])
}

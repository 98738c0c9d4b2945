import { useEffect, useSyncExternalStore } from 'react'
import { onSessionEnd } from '../../api/client'

/**
 * What has become of the session since the portal was entered: it holds; it has ended and the
 * person is asked to sign in again; or it has ended and they would not.
 */
type State = 'holds' | 'asking' | 'declined'

let state: State = 'holds'
let waiting: ((isSignedIn: boolean) => void)[] = []
const listeners = new Set<() => void>()

function change(next: State) {
  state = next
  for (const listener of listeners) listener()
}

/** Asks the user to sign in again; concurrent requests share one dialog and its result. */
export function askToSignInAgain(): Promise<boolean> {
  change('asking')
  return new Promise((resolve) => {
    waiting.push(resolve)
  })
}

/** Closes the dialog and resolves the requests that wait for it. */
export function resolveSignInAgain(isSignedIn: boolean): void {
  change(isSignedIn ? 'holds' : 'declined')
  const answered = waiting
  waiting = []
  for (const answer of answered) answer(isSignedIn)
}

/** What has become of the session. */
export function useSessionEnd(): State {
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
    onSessionEnd(askToSignInAgain)
    return () => {
      onSessionEnd(null)
      resolveSignInAgain(false)
      change('holds')
    }
  }, [])
}

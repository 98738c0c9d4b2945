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

/** Asks the person to sign in again; all who ask at the same time get the same answer. */
export function askToSignInAgain(): Promise<boolean> {
  change('asking')
  return new Promise((resolve) => {
    waiting.push(resolve)
  })
}

/** Ends the question, and with it the wait of the calls that met the end of the session. */
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

/** While it is rendered, calls that meet the end of the session ask to sign in and go on then. */
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

import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { User } from '../../api/types'
import { Button } from '../../components/ui/button'
import { Dialog } from '../../components/ui/dialog'
import { userQuery } from './api'
import {
  resolveSignInAgain,
  useCurrentUser,
  useSessionState,
  useSignInAgain,
} from './portal-session'
import styles from './sign-in-form.module.css'
import { SignInForm } from './sign-in-form'

/**
 * Shown over the portal's page when its session has expired: signing in here repeats the pending
 * requests and retains the input.
 */
export function SessionEndDialog() {
  const user = useCurrentUser()
  const [last, setLast] = useState(user)
  if (user && user.id !== last?.id) setLast(user)
  useSignInAgain()

  return useSessionState() === 'prompting' && <SignInAgain before={last} />
}

function SignInAgain({ before }: { before: User | null }) {
  const queryClient = useQueryClient()
  const headingId = useId()
  const [other, setOther] = useState<User | null>(null)

  const continueAs = (user: User) => {
    queryClient.setQueryData(userQuery().queryKey, user)
    // After signing in, the portal's data is refetched (spec §4).
    void queryClient.invalidateQueries(
      { predicate: ({ queryKey }) => queryKey[0] !== userQuery().queryKey[0] },
      { cancelRefetch: false },
    )
    resolveSignInAgain(true)
  }

  return (
    <Dialog
      headingId={headingId}
      size="small"
      onClose={() => {
        resolveSignInAgain(false)
      }}
    >
      <div className={styles.dialog}>
        <h2 className={styles.title} id={headingId} tabIndex={-1}>
          {other ? 'Another user is signed in now' : 'You are signed out'}
        </h2>
        {other ? (
          <>
            <p role="status">
              You are signed in as {other.email} now; before, it was {before?.email}. What is saved
              from here on is saved as {other.email}.
            </p>
            <Button
              variant="primary"
              onClick={() => {
                continueAs(other)
              }}
            >
              Continue
            </Button>
          </>
        ) : (
          <>
            <p>Your session has ended. Sign in again to continue.</p>
            <p className={styles.reassurance}>Nothing that you have typed is lost.</p>
            <SignInForm
              staysHere
              email={before?.email}
              onSignedIn={(user) => {
                if (before && user.id !== before.id) setOther(user)
                else continueAs(user)
              }}
            />
          </>
        )}
        <Button
          variant="ghost"
          onClick={() => {
            resolveSignInAgain(false)
          }}
        >
          Not Now
        </Button>
      </div>
    </Dialog>
  )
}

import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'
import { writeJson } from '../../api/client'
import { fieldErrorsOf, messageOf } from '../../api/forms'
import { limits } from '../../api/generated/validation'
import type { ChangePassword, EndedSessions } from '../../api/types'
import { Alert } from '../../components/ui/alert'
import { Button } from '../../components/ui/button'
import { Dialog } from '../../components/ui/dialog'
import { TextField } from '../../components/ui/field'
import { Spinner } from '../../components/ui/loading'
import { showError, showToast } from '../../components/ui/toast-store'
import { useFormValues } from '../../lib/use-form-values'
import styles from './account-dialog.module.css'
import { useCurrentUser } from './portal-session'

/** Changes the own password, which ends the user's other sessions. */
const changePassword = (body: ChangePassword) =>
  writeJson<EndedSessions>('PUT', '/api/user/password', body)

/** Ends the user's other sessions. */
const endOtherSessions = () => writeJson<EndedSessions>('DELETE', '/api/user/other-sessions')

/** The signed-in user's account: a new password, and the end of the other sessions. */
export function AccountDialog({ onClose }: { onClose: () => void }) {
  const headingId = useId()
  const email = useCurrentUser()?.email ?? ''
  return (
    <Dialog headingId={headingId} size="small" onClose={onClose}>
      <div className={styles.root}>
        <div>
          <h2 className={styles.title} id={headingId} tabIndex={-1}>
            Your Account
          </h2>
          <p className={styles.help}>You are signed in as {email}.</p>
        </div>
        <PasswordForm email={email} onChanged={onClose} />
        <OtherSessions />
        <Button variant="ghost" className={styles.close} onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}

/** The server checks the fields. */
function PasswordForm({ email, onChanged }: { email: string; onChanged: () => void }) {
  const { form, values, field, showErrors } = useFormValues(() => ({
    currentPassword: '',
    newPassword: '',
  }))
  const [problem, setProblem] = useState<string>()
  const { mutate, isPending } = useMutation({
    mutationFn: changePassword,
    networkMode: 'always',
    onSuccess: (result) => {
      const description = `Password changed successfully. ${endLabel(result?.endedSessions)}`
      showToast({ title: 'Success', description })
      onChanged()
    },
    onError: (cause) => {
      if (showErrors(fieldErrorsOf(cause))) return
      setProblem(messageOf(cause, 'Failed to change the password'))
    },
  })

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    setProblem(undefined)
    mutate(values)
  }

  return (
    <form
      ref={form}
      className={styles.part}
      aria-label="Change Password"
      aria-busy={isPending}
      noValidate
      onSubmit={submit}
    >
      <h3 className={styles.heading}>Change Password</h3>
      {/* Password managers store the new password for this account. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...field('currentPassword')}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        help={`At least ${limits.passwordMin} characters. Your other sessions end.`}
        {...field('newPassword')}
      />
      {problem !== undefined && <Alert title={problem} />}
      <Button type="submit" variant="primary" aria-disabled={isPending}>
        {isPending && <Spinner />}
        {isPending ? 'Changing...' : 'Change Password'}
      </Button>
    </form>
  )
}

function OtherSessions() {
  const { mutate, isPending } = useMutation({
    mutationFn: endOtherSessions,
    networkMode: 'always',
    onSuccess: (result) => {
      showToast({ title: 'Success', description: endLabel(result?.endedSessions) })
    },
    onError: (cause) => {
      showError(messageOf(cause, 'Failed to end your other sessions'))
    },
  })
  return (
    <section className={styles.part}>
      <h3 className={styles.heading}>Other Sessions</h3>
      <p className={styles.help}>
        Signs you out in all other browsers and on all other devices. Here you stay signed in.
      </p>
      <Button
        aria-disabled={isPending}
        onClick={() => {
          if (!isPending) mutate()
        }}
      >
        {isPending && <Spinner />}
        {isPending ? 'Signing out...' : 'Sign Out Everywhere Else'}
      </Button>
    </section>
  )
}

/** How many other sessions have ended. */
function endLabel(count = 0): string {
  if (count === 0) return 'You were signed in nowhere else.'
  return count === 1 ? 'One other session has ended.' : `${count} other sessions have ended.`
}

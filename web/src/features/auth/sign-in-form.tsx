import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/client'
import { messages } from '../../api/generated/validation'
import type { User } from '../../api/types'
import { Alert } from '../../components/ui/alert'
import { Button } from '../../components/ui/button'
import { TextField } from '../../components/ui/field'
import { Spinner } from '../../components/ui/loading'
import { showToastAcrossPages } from '../../components/ui/toast-store'
import { checkCredentials, type CredentialErrors, credentialFields, signIn } from './sign-in'
import styles from './sign-in-form.module.css'

/** How long the success message shows before the portal is loaded, in milliseconds. */
const redirectDelay = 800

interface SignInFormProps {
  /** The email to fill in. */
  email?: string | undefined
  /** Stays on the page after sign-in, instead of redirecting to the portal. */
  staysHere?: boolean
  onSignedIn: (user: User) => void
}

/** The sign-in form (spec §2, /admin/login). */
export function SignInForm({ email, staysHere = false, onSignedIn }: SignInFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<CredentialErrors>({})
  const {
    mutate,
    data: user,
    error,
    isPending,
    isSuccess,
    reset,
  } = useMutation({
    mutationFn: signIn,
    networkMode: 'always',
    onError: (cause) => {
      if (cause instanceof ApiError) setErrors(cause.fields)
    },
    onSuccess: () => {
      if (staysHere) return
      showToastAcrossPages({
        title: 'Login successful',
        description: 'Redirecting to admin panel...',
      })
    },
  })
  const isBusy = isPending || isSuccess
  const hasFieldErrors = credentialFields.some((field) => errors[field] !== undefined)

  useEffect(() => {
    if (!user || staysHere) return
    const timer = setTimeout(() => {
      onSignedIn(user)
    }, redirectDelay)
    return () => {
      clearTimeout(timer)
    }
  }, [user, staysHere, onSignedIn])

  // After the render that enables the button and marks the fields: focuses the first invalid field.
  useEffect(() => {
    const invalid = credentialFields.find((field) => errors[field] !== undefined)
    const name = invalid ?? (error instanceof ApiError && error.status === 401 && 'password')
    if (name) form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus()
    else if (error) form.current?.querySelector('button')?.focus()
  }, [errors, error])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const data = new FormData(event.currentTarget)
    const text = (name: string) => {
      const value = data.get(name)
      return typeof value === 'string' ? value : ''
    }
    const credentials = { email: text('email'), password: text('password') }
    const errorsFound = checkCredentials(credentials)
    reset()
    setErrors(errorsFound)
    if (Object.keys(errorsFound).length === 0)
      mutate(credentials, { ...(staysHere && { onSuccess: onSignedIn }) })
  }

  return (
    <form ref={form} className={styles.root} noValidate onSubmit={submit}>
      {error && !hasFieldErrors && <Alert title={error.message || messages.invalidCredentials} />}
      <TextField
        label="Email"
        name="email"
        type="email"
        defaultValue={email}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.email}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={errors.password}
      />
      <Button type="submit" variant="primary" disabled={isBusy}>
        {isBusy && <Spinner />}
        {isBusy ? 'Signing in...' : 'Sign In'}
      </Button>
    </form>
  )
}

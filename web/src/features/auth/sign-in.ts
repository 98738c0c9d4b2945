import { ApiError } from '../../api/client'
import { limits, messages } from '../../api/generated/validation'
import type { ErrorBody, User } from '../../api/types'
import { isEmail } from '../../lib/text'

/** The sign-in form's values. */
export interface Credentials {
  email: string
  password: string
}

/** The form's fields in display order. */
export const credentialFields = ['email', 'password'] as const

/** Messages by field. */
export type CredentialErrors = Partial<Record<keyof Credentials, string>>

/** The message for a network failure. */
const unreachable = 'The server can’t be reached. Check your connection and try again.'

/** Validation messages by field, as specified (spec §5, "Login form"). */
export function checkCredentials(credentials: Credentials): CredentialErrors {
  const email = credentials.email.trim()
  const password = Array.from(credentials.password)
  const isValid = email.length <= limits.email && isEmail(email)
  return {
    ...(email === ''
      ? { email: messages.emailRequired }
      : !isValid && { email: messages.emailInvalid }),
    ...(password.length === 0
      ? { password: messages.passwordRequired }
      : password.length > limits.passwordMax && { password: messages.passwordTooLong }),
  }
}

/**
 * Signs in. A failure has the server's message; without one, a 401 means wrong credentials and any
 * other status is `Login failed` (spec §8).
 */
export async function signIn({ email, password }: Credentials): Promise<User> {
  const response = await fetch('/api/auth/login', {
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: email.trim(), password }),
  }).catch(() => {
    throw new ApiError(unreachable, 0)
  })
  if (response.ok) return (await response.json()) as User

  const body = (await response.json().catch(() => null)) as
    (Partial<ErrorBody> & { message?: string }) | null
  const fallback = response.status === 401 ? messages.invalidCredentials : 'Login failed'
  const message = body?.error ?? body?.message ?? fallback
  throw new ApiError(message, response.status, body?.fields ?? {})
}

/**
 * The portal URL requested before signing in, from `next` in the sign-in page's URL. Only
 * paths under `portal` except the sign-in page are accepted; otherwise it is the portal's start, so
 * that no link can send an admin to another site.
 */
export function safeNext(next: string | null, portal: string, signInPath: string): string {
  if (!next?.startsWith(portal)) return portal
  const url = URL.canParse(next, location.origin) ? new URL(next, location.origin) : null
  const isUnder = (path: string) => url?.pathname === path || url?.pathname.startsWith(`${path}/`)
  if (url?.origin !== location.origin || !isUnder(portal) || isUnder(signInPath)) return portal
  return url.pathname + url.search + url.hash
}

/** The sign-in page's URL that returns to `requested`, by default the portal's start. */
export function signInUrl(signInPath: string, requested: string, portal: string): string {
  return requested === portal
    ? signInPath
    : `${signInPath}?${new URLSearchParams({ next: requested }).toString()}`
}

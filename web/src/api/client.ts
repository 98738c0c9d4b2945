import type { ErrorBody } from './types'

/** A failed request, with a message that can be shown (spec §8). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** Validation messages by field. */
  readonly fields: Readonly<Record<string, string>>
  /** The whole response body, for endpoints that send more than a message. */
  readonly body: unknown

  constructor(
    message: string,
    status: number,
    fields: Readonly<Record<string, string>> = {},
    body: unknown = null,
  ) {
    super(message)
    this.status = status
    this.fields = fields
    this.body = body
  }
}

/** A 401 from this path means signed out, which is not an error (spec §8). */
const userPath = '/api/user'

/** Asks the user to sign in again and resolves to whether they did. Set by the portal. */
let signInAgain: (() => Promise<boolean>) | null = null

/** Sets the handler for a request that fails because the session has ended; null removes it. */
export function onSessionEnd(handler: (() => Promise<boolean>) | null): void {
  signInAgain = handler
}

/** The id of the last request if it failed in the server, which finds it in the server's log. */
export let failedRequestId: string | null = null

/** Sends a request, and repeats it if the session had ended and the user signs in again. */
export async function request(path: string, init?: RequestInit): Promise<Response> {
  failedRequestId = null
  const response = await fetch(path, { credentials: 'include', ...init })
  if (response.status >= 500) failedRequestId = response.headers.get('x-request-id')
  if (response.status !== 401 || !signInAgain) return response
  const body = await response.text()
  return (await signInAgain()) ? request(path, init) : new Response(body, { status: 401 })
}

/**
 * Reads `path` and parses its JSON (spec §7). Any response that is not OK is an error: with the
 * status text from 500 up, else with the body's text (spec §8).
 */
export async function readJson<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await request(path, init)
  if (!response.ok) {
    const reason = response.status >= 500 ? response.statusText : await response.text()
    throw new ApiError(`${response.status}: ${reason}`, response.status)
  }
  return (await response.json()) as T
}

/**
 * Sends a change to `path` and reads the response: null on 204, and on a 401 of the user path.
 * Otherwise a 401 is `Authentication required`, and other failures carry the server's message, else
 * the status text, else `Unknown error` (spec §7, §8).
 */
export async function writeJson<T>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<T | null> {
  const response = await request(path, {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (response.status === 401) {
    await response.text()
    if (new URL(path, location.origin).pathname === userPath) return null
    throw new ApiError('Authentication required', 401)
  }
  if (!response.ok) throw await responseError(response)
  return response.status === 204 ? null : ((await response.json()) as T)
}

/** The error for a response that is not OK, with the server's message (spec §8). */
export async function responseError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as
    (Partial<ErrorBody> & { message?: string }) | null
  const message = body?.error ?? body?.message ?? response.statusText
  return new ApiError(message || 'Unknown error', response.status, body?.fields ?? {}, body)
}

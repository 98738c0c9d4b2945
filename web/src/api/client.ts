import type { ErrorBody } from './types'

/** A call that the server refused, in the words that a screen may show (spec §8). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** The messages by field of a refused form. */
  readonly fields: Readonly<Record<string, string>>
  /** All that the server said, for callers who know that it says more. */
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

/** The path that answers 401 for "nobody is signed in", which is no error (spec §8). */
const userPath = '/api/user'

/** Asks the person to sign in again, and says whether they did. The portal sets it. */
let signInAgain: (() => Promise<boolean>) | null = null

/** Has `ask` asked when a session has ended in mid-work; null has nobody asked. */
export function whenSignedOut(ask: (() => Promise<boolean>) | null): void {
  signInAgain = ask
}

/**
 * Calls the server. Where a session has ended in mid-work, the person is asked to sign in again and
 * the call is repeated, so that whoever made it never knows.
 */
export async function call(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(path, { credentials: 'include', ...init })
  if (response.status !== 401 || !signInAgain) return response
  const body = await response.text()
  return (await signInAgain()) ? call(path, init) : new Response(body, { status: 401 })
}

/**
 * Reads `path` and parses its JSON (spec §7). Any answer that is not OK is an error: with the
 * status text from 500 up, else with the body's text (spec §8).
 */
export async function readJson<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await call(path, init)
  if (!response.ok) {
    const reason = response.status >= 500 ? response.statusText : await response.text()
    throw new ApiError(`${response.status}: ${reason}`, response.status)
  }
  return (await response.json()) as T
}

/**
 * Sends a change to `path` and reads the answer: null on 204, and on a 401 of the user path.
 * Otherwise a 401 is `Authentication required`, and other failures carry the server's message, else
 * the status text, else `Unknown error` (spec §7, §8).
 */
export async function writeJson<T>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<T | null> {
  const response = await call(path, {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (response.status === 401) {
    await response.text()
    if (new URL(path, location.origin).pathname === userPath) return null
    throw new ApiError('Authentication required', 401)
  }
  if (!response.ok) throw await refusalOf(response)
  return response.status === 204 ? null : ((await response.json()) as T)
}

/** Creates what `body` describes; a repeat with the same key returns what was created before. */
export async function createJson<T>(path: string, body: unknown, key: string): Promise<T> {
  const created = await writeJson<T>('POST', path, body, { 'Idempotency-Key': key })
  if (created === null) throw new ApiError('Unknown error', 204)
  return created
}

/** The error that an answer which is not OK stands for, in the server's words (spec §8). */
export async function refusalOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as
    (Partial<ErrorBody> & { message?: string }) | null
  const message = body?.error ?? body?.message ?? response.statusText
  return new ApiError(message || 'Unknown error', response.status, body?.fields ?? {}, body)
}

import { http, HttpResponse } from 'msw'
import { anAdmin } from './factories'
import { setupServer } from 'msw/node'

const hint = 'lectern_signed_in'

/** Sets the cookie with which the server tells scripts that a user has signed in. */
export function setSignInHint(): void {
  document.cookie = `${hint}=1; path=/`
}

/** Removes that cookie. */
export function clearSignInHint(): void {
  document.cookie = `${hint}=; path=/; max-age=0`
}

/** Signs an admin in. */
export function signIn(): void {
  setSignInHint()
  server.use(http.get('/api/user', () => HttpResponse.json(anAdmin())))
}

/** The API for a visitor who is not signed in; tests add handlers. */
export const server = setupServer(
  http.get('/api/user', () => HttpResponse.json({ error: 'Not authenticated' }, { status: 401 })),
  http.get('/api/events', () => HttpResponse.json([])),
  http.get('/api/server-problems', () => HttpResponse.json({ problems: [] })),
  http.get('/api/events/:id/interest', () => HttpResponse.json({ count: 3, hasInterest: false })),
)

/**
 * For handlers that respond when the test has seen the state before the response: they await
 * `released`, until the test calls `release`.
 */
export function holdResponse() {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { released, release }
}

import { http, HttpResponse } from 'msw'
import { anAdmin } from './factories'
import { setupServer } from 'msw/node'

const hint = 'lectern_signed_in'

/** Sets the cookie that the server sets for scripts after sign-in. */
export function leaveSignInHint(): void {
  document.cookie = `${hint}=1; path=/`
}

/** Takes it away again. */
export function dropSignInHint(): void {
  document.cookie = `${hint}=; path=/; max-age=0`
}

/** Signs an admin in: the hint is there, and the server knows them. */
export function signIn(): void {
  leaveSignInHint()
  server.use(http.get('/api/user', () => HttpResponse.json(anAdmin())))
}

/** The API as a visitor meets it who is not signed in; tests add what they need. */
export const server = setupServer(
  http.get('/api/user', () => HttpResponse.json({ error: 'Not authenticated' }, { status: 401 })),
  http.get('/api/events', () => HttpResponse.json([])),
  http.get('/api/events/:id/interest', () => HttpResponse.json({ count: 3, hasInterest: false })),
)

import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'

/** The API as a visitor meets it who is not signed in; tests add what they need. */
export const server = setupServer(
  http.get('/api/user', () => HttpResponse.json({ error: 'Not authenticated' }, { status: 401 })),
  http.get('/api/events', () => HttpResponse.json([])),
  http.get('/api/events/:id/interest', () => HttpResponse.json({ count: 3, hasInterest: false })),
)

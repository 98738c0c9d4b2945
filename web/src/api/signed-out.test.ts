import { http, HttpResponse } from 'msw'
import { afterEach, expect, it, vi } from 'vitest'
import { server } from '../testing/server'
import { readJson, whenSignedOut, writeJson } from './client'

afterEach(() => {
  whenSignedOut(null)
})

/** The first call meets the end of the session; later ones are answered. */
function endSession() {
  let calls = 0
  const answer = () => {
    calls += 1
    return calls === 1
      ? HttpResponse.json({ error: 'Not authenticated' }, { status: 401 })
      : HttpResponse.json({ saved: true })
  }
  server.use(http.put('/api/things', answer), http.get('/api/things', answer))
}

it('repeats a call after the person has signed in again', async () => {
  endSession()
  whenSignedOut(() => Promise.resolve(true))
  expect(await writeJson('PUT', '/api/things', { a: 1 })).toEqual({ saved: true })
  endSession()
  expect(await readJson('/api/things')).toEqual({ saved: true })
})

it('fails as ever when they would not', async () => {
  endSession()
  const ask = vi.fn(() => Promise.resolve(false))
  whenSignedOut(ask)
  await expect(writeJson('PUT', '/api/things')).rejects.toThrow('Authentication required')
  expect(ask).toHaveBeenCalledOnce()
})

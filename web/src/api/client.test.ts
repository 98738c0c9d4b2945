import { http, HttpResponse } from 'msw'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { server } from '../testing/session'
import { ApiError, readJson, onSessionEnd, writeJson } from './client'

const respond = (method: 'get' | 'put' | 'post', response: Response, path = '/api/things') => {
  server.use(http[method](path, () => response))
}

describe('readJson', () => {
  it('parses the body', async () => {
    respond('get', HttpResponse.json([1, 2]))
    expect(await readJson('/api/things')).toEqual([1, 2])
  })

  it('fails with the status text from 500 up', async () => {
    respond('get', new Response('a trace', { status: 503, statusText: 'Service Unavailable' }))
    await expect(readJson('/api/things')).rejects.toThrow(
      new ApiError('503: Service Unavailable', 503),
    )
  })

  it('fails with the body below 500', async () => {
    respond('get', new Response('{"error":"Gone"}', { status: 404, statusText: 'Not Found' }))
    await expect(readJson('/api/things')).rejects.toThrow('404: {"error":"Gone"}')
  })
})

describe('writeJson', () => {
  it('sends and parses JSON', async () => {
    server.use(
      http.put('/api/things', async ({ request }) =>
        HttpResponse.json({ got: await request.json(), as: request.headers.get('content-type') }),
      ),
    )
    expect(await writeJson('PUT', '/api/things', { a: 1 })).toEqual({
      got: { a: 1 },
      as: 'application/json',
    })
  })

  it('is null on 204', async () => {
    respond('put', new Response(null, { status: 204 }))
    expect(await writeJson('PUT', '/api/things')).toBeNull()
  })

  it('fails with Authentication required on 401', async () => {
    respond('put', HttpResponse.json({ error: 'Not authenticated' }, { status: 401 }))
    await expect(writeJson('PUT', '/api/things')).rejects.toThrow('Authentication required')
  })

  it('is null on a 401 of the user path', async () => {
    respond('post', new Response(null, { status: 401 }), '/api/user')
    expect(await writeJson('POST', '/api/user')).toBeNull()
  })

  it.each([
    [{ error: 'Title is required', fields: { title: 'Title is required' } }, 'Title is required'],
    [{ message: 'A sync is running' }, 'A sync is running'],
  ])('fails with the server’s message %j', async (body, message) => {
    respond('put', HttpResponse.json(body, { status: 400, statusText: 'Bad Request' }))
    await expect(writeJson('PUT', '/api/things')).rejects.toThrow(message)
  })

  it('fails with the messages of the fields', async () => {
    const fields = { title: 'Title is required' }
    respond('put', HttpResponse.json({ error: 'Title is required', fields }, { status: 400 }))
    await expect(writeJson('PUT', '/api/things')).rejects.toMatchObject({ status: 400, fields })
  })

  it('fails with the status text, else with Unknown error', async () => {
    respond('put', new Response('<html>', { status: 502, statusText: 'Bad Gateway' }))
    await expect(writeJson('PUT', '/api/things')).rejects.toThrow('Bad Gateway')
    respond('put', new Response('', { status: 418, statusText: '' }))
    await expect(writeJson('PUT', '/api/things')).rejects.toThrow(/^(Unknown error|I'm a teapot)$/i)
  })
})

afterEach(() => {
  onSessionEnd(null)
})

/** Responds 401 to the first request and 200 to later ones. */
function endSession() {
  let requests = 0
  const respond = () => {
    requests += 1
    return requests === 1
      ? HttpResponse.json({ error: 'Not authenticated' }, { status: 401 })
      : HttpResponse.json({ saved: true })
  }
  server.use(http.put('/api/things', respond), http.get('/api/things', respond))
}

it('repeats a request after the user has signed in again', async () => {
  endSession()
  onSessionEnd(() => Promise.resolve(true))
  expect(await writeJson('PUT', '/api/things', { a: 1 })).toEqual({ saved: true })
  endSession()
  expect(await readJson('/api/things')).toEqual({ saved: true })
})

it('fails with Authentication required when the user declines to sign in', async () => {
  endSession()
  const handler = vi.fn(() => Promise.resolve(false))
  onSessionEnd(handler)
  await expect(writeJson('PUT', '/api/things')).rejects.toThrow('Authentication required')
  expect(handler).toHaveBeenCalledOnce()
})

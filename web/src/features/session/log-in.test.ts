import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import cases from '../../../../src/tests/rule_cases/login.json'
import { ruleCases, fieldValue } from '../../testing/rule-cases'
import { server } from '../../testing/session'
import { checkCredentials, logIn } from './log-in'

const credentials = { email: ' admin@example.com ', password: ' correct horse ' }

describe('checkCredentials', () => {
  it.each(ruleCases(cases))('reports the same errors as the server: $name', ({ input, fields }) => {
    const credentials = { email: fieldValue(input.email), password: fieldValue(input.password) }
    expect(checkCredentials(credentials)).toEqual(fields)
  })

  it('requires both', () => {
    expect(checkCredentials({ email: '  ', password: '' })).toEqual({
      email: 'Email is required',
      password: 'Password is required',
    })
  })

  it.each(['admin', 'admin@example', '@example.com', 'a b@example.com', 'a@-example.com'])(
    'rejects the address %s',
    (email) => {
      expect(checkCredentials({ email, password: 'x' })).toEqual({
        email: 'Please enter a valid email address',
      })
    },
  )

  it.each(['admin@example.com', " O'Neil+site@mail.example.co "])('accepts %s', (email) => {
    expect(checkCredentials({ email, password: ' ' })).toEqual({})
  })
})

describe('logIn', () => {
  const respond = (status: number, body: object | string) => {
    server.use(
      http.post('/api/auth/login', () =>
        typeof body === 'string'
          ? new HttpResponse(body, { status })
          : HttpResponse.json(body, { status }),
      ),
    )
    return logIn(credentials)
  }

  it('trims the address and sends the password unchanged', async () => {
    let sent: unknown
    server.use(
      http.post('/api/auth/login', async ({ request }) => {
        sent = await request.json()
        return HttpResponse.json({ id: 1 })
      }),
    )
    await logIn(credentials)
    expect(sent).toEqual({ email: 'admin@example.com', password: ' correct horse ' })
  })

  it('returns the message of the server', async () => {
    const error = 'Too many attempts. Please try again in 40 seconds.'
    await expect(respond(429, { error })).rejects.toThrow(error)
    await expect(respond(500, { message: 'Closed for repairs' })).rejects.toThrow(
      'Closed for repairs',
    )
  })

  it('has a default message if the server has none', async () => {
    await expect(respond(401, '')).rejects.toThrow('Invalid email or password')
    await expect(respond(502, '<h1>Bad gateway</h1>')).rejects.toThrow('Login failed')
  })

  it('reports a network failure', async () => {
    server.use(http.post('/api/auth/login', () => HttpResponse.error()))
    await expect(logIn(credentials)).rejects.toThrow(/can’t be reached/)
  })
})

import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import cases from '../../../../src/tests/rule_cases/login.json'
import { ruleCases, fieldValue } from '../../testing/rule-cases'
import { server } from '../../testing/session'
import { checkCredentials, signIn, safeNext, signInUrl } from './sign-in'

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
    'rejects the email %s',
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

describe('signIn', () => {
  const respond = (status: number, body: object | string) => {
    server.use(
      http.post('/api/auth/login', () =>
        typeof body === 'string'
          ? new HttpResponse(body, { status })
          : HttpResponse.json(body, { status }),
      ),
    )
    return signIn(credentials)
  }

  it('trims the email and sends the password unchanged', async () => {
    let sent: unknown
    server.use(
      http.post('/api/auth/login', async ({ request }) => {
        sent = await request.json()
        return HttpResponse.json({ id: 1 })
      }),
    )
    await signIn(credentials)
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
    await expect(signIn(credentials)).rejects.toThrow(/can’t be reached/)
  })
})

const next = (value: string | null) => safeNext(value, '/admin', '/admin/login')

describe('safeNext', () => {
  it.each(['/admin', '/admin/speakers', '/admin?tab=users', '/admin/users?page=2#last'])(
    'returns to %s',
    (path) => {
      expect(next(path)).toBe(path)
    },
  )

  it.each([
    null,
    '',
    '/',
    '/calendar',
    '/administrator',
    '//evil.example/admin',
    '/\\evil.example/admin',
    'https://evil.example/admin',
    'javascript:alert(1)',
    '/admin/../calendar',
    '/admin/..//evil.example',
    '/admin/%2e%2e/calendar',
    '/admin/login',
    '/admin/login?next=/admin',
    'admin',
  ])('rejects %s', (path) => {
    expect(next(path)).toBe('/admin')
  })
})

describe('signInUrl', () => {
  it('contains the requested URL', () => {
    expect(signInUrl('/admin/login', '/admin?tab=users', '/admin')).toBe(
      '/admin/login?next=%2Fadmin%3Ftab%3Dusers',
    )
  })

  it('has no parameter for the start of the portal', () => {
    expect(signInUrl('/admin/login', '/admin', '/admin')).toBe('/admin/login')
  })
})

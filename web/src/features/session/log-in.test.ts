import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import cases from '../../../../src/tests/rule_cases/login.json'
import { fieldValue, ruleCases } from '../../testing/rule-cases'
import { server } from '../../testing/session'
import { checkCredentials, logIn } from './log-in'

const credentials = { email: ' admin@example.com ', password: ' correct horse ' }

describe('checkCredentials', () => {
  it.each(ruleCases(cases))('says of $name what the server says', ({ input, fields }) => {
    const credentials = { email: fieldValue(input.email), password: fieldValue(input.password) }
    expect(checkCredentials(credentials)).toEqual(fields)
  })

  it('asks for both', () => {
    expect(checkCredentials({ email: '  ', password: '' })).toEqual({
      email: 'Email is required',
      password: 'Password is required',
    })
  })

  it.each(['admin', 'admin@example', '@example.com', 'a b@example.com', 'a@-example.com'])(
    'refuses the address %s',
    (email) => {
      expect(checkCredentials({ email, password: 'x' })).toEqual({
        email: 'Please enter a valid email address',
      })
    },
  )

  it.each(['admin@example.com', " O'Neil+site@mail.example.co "])('takes %s', (email) => {
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

  it('sends the address without the blanks around it and the password as it is', async () => {
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

  it('passes on what the server says', async () => {
    const error = 'Too many attempts. Please try again in 40 seconds.'
    await expect(respond(429, { error })).rejects.toThrow(error)
    await expect(respond(500, { message: 'Closed for repairs' })).rejects.toThrow(
      'Closed for repairs',
    )
  })

  it('has words of its own where the server has none', async () => {
    await expect(respond(401, '')).rejects.toThrow('Invalid email or password')
    await expect(respond(502, '<h1>Bad gateway</h1>')).rejects.toThrow('Login failed')
  })

  it('says so where nobody answers', async () => {
    server.use(http.post('/api/auth/login', () => HttpResponse.error()))
    await expect(logIn(credentials)).rejects.toThrow(/can’t be reached/)
  })
})

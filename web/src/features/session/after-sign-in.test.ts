import { describe, expect, it } from 'vitest'
import { safeNext, signInAddress } from './after-sign-in'

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

describe('signInAddress', () => {
  it('contains the requested address', () => {
    expect(signInAddress('/admin/login', '/admin?tab=users', '/admin')).toBe(
      '/admin/login?next=%2Fadmin%3Ftab%3Dusers',
    )
  })

  it('has no parameter for the start of the portal', () => {
    expect(signInAddress('/admin/login', '/admin', '/admin')).toBe('/admin/login')
  })
})

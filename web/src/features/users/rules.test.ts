// @vitest-environment node
import { describe, expect, it } from 'vitest'
import cases from '../../../../src/tests/rule_cases/user.json'
import { fieldValue, ruleCases } from '../../testing/rule-cases'
import { checkUser, formValuesOf, toFormMessages, userToSave } from './rules'

describe('checkUser', () => {
  it.each(ruleCases(cases))('reports the same errors as the server: $name', ({ input, fields }) => {
    const values = {
      email: fieldValue(input.email),
      password: fieldValue(input.password),
      role: 'role' in input ? fieldValue(input.role) : formValuesOf(null).role,
    }
    expect(checkUser(values, true)).toEqual(toFormMessages(fields))
  })

  it('accepts a blank password for an existing user', () => {
    const values = { ...formValuesOf(null), email: 'grace@example.com' }
    expect(checkUser(values, false)).toEqual({})
    expect(userToSave(values)).toEqual({ email: 'grace@example.com', role: 'admin' })
  })

  it('checks a new password of an existing user', () => {
    const values = { ...formValuesOf(null), email: 'grace@example.com', password: 'short' }
    expect(checkUser(values, false)).toEqual({ password: 'Password must be at least 8 characters' })
  })
})

import { describe, expect, it } from 'vitest'
import type { SaveEvent } from '../../../api/types'
import { ruleCases } from '../../../testing/rule-cases'
import table from '../../../../../src/tests/rule_cases/event.json'
import { checkEvent } from './rules'

describe('checkEvent', () => {
  it.each(ruleCases(table))('finds what the server finds: $name', ({ input, fields }) => {
    expect(checkEvent(input as SaveEvent)).toEqual(fields)
  })
})

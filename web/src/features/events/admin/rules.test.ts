import { describe, expect, it } from 'vitest'
import type { SaveEvent } from '../../../api/types'
import { ruleCases } from '../../../testing/rule-cases'
import updates from '../../../../../src/tests/rule_cases/event_update.json'
import table from '../../../../../src/tests/rule_cases/event.json'
import { checkEvent } from './rules'

describe('checkEvent', () => {
  it.each(ruleCases(table))('finds what the server finds: $name', ({ input, fields }) => {
    expect(checkEvent(input as SaveEvent)).toEqual(fields)
  })

  it.each(updates)('finds what the server finds: $name', ({ stored, input, fields }) => {
    expect(checkEvent(input, stored)).toEqual(fields)
  })
})

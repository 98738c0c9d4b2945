import { describe, expect, it } from 'vitest'
import type { SaveEvent } from '../../../api/types'
import { ruleCases } from '../../../testing/rule-cases'
import updates from '../../../../../src/tests/rule_cases/event_update.json'
import table from '../../../../../src/tests/rule_cases/event.json'
import { checkEvent } from './rules'

describe('checkEvent', () => {
  it.each(ruleCases(table))('reports the same errors as the server: $name', ({ input, fields }) => {
    expect(checkEvent(input as SaveEvent)).toEqual(fields)
  })

  it.each(updates)('reports the same errors as the server: $name', ({ stored, input, fields }) => {
    expect(checkEvent(input, stored)).toEqual(fields)
  })
})

// @vitest-environment node
import { describe, expect, it } from 'vitest'
import cases from '../../../../src/tests/rule_cases/speaker.json'
import { fieldValue, ruleCases } from '../../testing/rule-cases'
import { checkSpeaker, formValuesOf, speakerToSave } from './rules'

describe('checkSpeaker', () => {
  it.each(ruleCases(cases))('reports the same errors as the server: $name', ({ input, fields }) => {
    const values = {
      ...formValuesOf(null),
      name: fieldValue(input.name),
      title: fieldValue(input.title),
      bio: fieldValue(input.bio),
      imageUrl: fieldValue(input.imageUrl),
      ...('type' in input && { type: fieldValue(input.type) }),
    }
    expect(checkSpeaker(values)).toEqual(fields)
  })
})

it('sends blank optional fields as null', () => {
  const values = { ...formValuesOf(null), name: ' Grace Obi ', title: 'Host ', bio: ' ' }
  expect(speakerToSave(values)).toEqual({
    name: 'Grace Obi',
    title: 'Host',
    bio: null,
    imageUrl: null,
    type: 'Guest',
  })
})

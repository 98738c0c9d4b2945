// @vitest-environment node
import { describe, expect, it } from 'vitest'
import cases from '../../../../src/tests/rule_cases/speaker.json'
import { ruleCases, typed } from '../../testing/rule-cases'
import { checkSpeaker, draftOf, speakerToSave } from './rules'

describe('checkSpeaker', () => {
  it.each(ruleCases(cases))('reports the same errors as the server: $name', ({ input, fields }) => {
    const draft = {
      ...draftOf(null),
      name: typed(input.name),
      title: typed(input.title),
      bio: typed(input.bio),
      imageUrl: typed(input.imageUrl),
      ...('type' in input && { type: typed(input.type) }),
    }
    expect(checkSpeaker(draft)).toEqual(fields)
  })
})

it('sends blank optional fields as null', () => {
  const draft = { ...draftOf(null), name: ' Grace Obi ', title: 'Host ', bio: ' ' }
  expect(speakerToSave(draft)).toEqual({
    name: 'Grace Obi',
    title: 'Host',
    bio: null,
    imageUrl: null,
    type: 'Guest',
  })
})

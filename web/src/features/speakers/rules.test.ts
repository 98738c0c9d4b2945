import { describe, expect, it } from 'vitest'
import cases from '../../../../src/tests/rule_cases/speaker.json'
import { ruleCases, typed } from '../../testing/rule-cases'
import { checkSpeaker, draftOf, eventsLeftAlone, speakerToSave } from './rules'

describe('checkSpeaker', () => {
  it.each(ruleCases(cases))('says of $name what the server says', ({ input, fields }) => {
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

it('sends what is optional and blank as nothing', () => {
  const draft = { ...draftOf(null), name: ' Grace Obi ', title: 'Host ', bio: ' ' }
  expect(speakerToSave(draft)).toEqual({
    name: 'Grace Obi',
    title: 'Host',
    bio: null,
    imageUrl: null,
    type: 'Guest',
  })
})

describe('eventsLeftAlone', () => {
  const sentence = (names: string) =>
    `This speaker is the only one of ${names}. Give those events another speaker first.`

  it.each([
    ['“A walk”', ['A walk'], 0],
    ['“A walk”, “Who pays, and when?”', ['A walk', 'Who pays, and when?'], 0],
    ['“A. Give it”, “B” and 12 more', ['A. Give it', 'B'], 12],
  ])('reads %s', (names, titles, more) => {
    expect(eventsLeftAlone(sentence(names))).toEqual({ titles, more })
  })

  it('reads nothing from other words', () => {
    expect(eventsLeftAlone('The server is busy.')).toBeNull()
  })
})

import { expect, it } from 'vitest'
import { textFitClass, longWordClass } from './fit-text'

it.each([
  ['Event Calendar', undefined],
  ['', undefined],
  ['The up-to-date fixed-income market', undefined],
  ['Opportunities', 'long-word'],
  ['A retired Anesthesiologist', 'long-word'],
  ['Otorhinolaryngologist and investor', 'longest-word'],
])('the class of %j is %s', (heading, name) => {
  expect(longWordClass(heading)).toBe(name)
})

it.each([
  ['', undefined],
  ['An evening in Washington', undefined],
  ['A long-distance walk', undefined],
  ['Management of opportunities', 'word-7'],
  ['Anesthesiologist', 'word-8'],
  ['Marmaduke Featherstonehaugh', 'word-10'],
  ['Compartmentalization', 'word-11'],
  ['N'.repeat(200), 'word-12'],
])('the class of the name %j is %s', (name, expected) => {
  expect(textFitClass(name)).toBe(expected)
})

import { expect, it } from 'vitest'
import { wordClass } from './word-class'

it.each([
  ['Event Calendar', undefined],
  ['', undefined],
  ['The up-to-date fixed-income market', undefined],
  ['Opportunities', 'long-word'],
  ['A retired Anesthesiologist', 'long-word'],
  ['Otorhinolaryngologist and investor', 'longest-word'],
])('the class of %j is %s', (heading, name) => {
  expect(wordClass(heading)).toBe(name)
})

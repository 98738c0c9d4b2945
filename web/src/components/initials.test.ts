// @vitest-environment node
import { expect, it } from 'vitest'
import { initialsOf } from './initials'

it.each([
  ['Warren Chen', 'WC'],
  ['Dr. Nikhil Patel', 'NP'],
  ['dr Nikhil Patel, MD', 'NP'],
  ['Prof. Dr. Ada M. Okafor', 'AO'],
  ['Jean-Luc de la Tour', 'JT'],
  ['Madonna', 'M'],
  ['Dr.', 'D'],
  ['élodie Øster', 'ÉØ'],
  ['', ''],
])('takes from %j the initials %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

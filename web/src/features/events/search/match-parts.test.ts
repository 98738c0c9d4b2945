// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { normalizedWords } from '../../../lib/text'
import { matchParts } from './match-parts'

describe('matchParts', () => {
  it.each([
    ['Später Café', 'cafe', '[Café]'],
    ['Später Café', 'ater', '[äter]'],
    ['a b a', 'a', '[a][a]'],
    ['Straße 👩‍💻 walk', 'walk', '[walk]'],
    ['none', 'x', ''],
  ])('marks in %s what matches %s', (text, query, marked) => {
    const pieces = matchParts(text, normalizedWords(query))
    expect(pieces.map((piece) => piece.text).join('')).toBe(text)
    expect(pieces.flatMap((piece) => (piece.isMatch ? [`[${piece.text}]`] : [])).join('')).toBe(
      marked,
    )
  })
})

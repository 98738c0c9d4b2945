// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { anEvent, anInPersonEvent, aLocation, aSpeaker } from '../../../testing/factories'
import { normalizedWords } from '../search-text'
import { matchingEntries, matchParts, searchIndex } from './search-index'

const now = Date.parse('2026-06-01T12:00:00Z')
const ahead = anEvent({ title: 'Später Café', startsAt: '2026-07-02T00:00:00Z' }, [
  aSpeaker({ name: 'Dr. Ada Okafor' }),
])
const soon = anInPersonEvent({
  title: 'Property walk',
  startsAt: '2026-06-02T00:00:00Z',
  location: aLocation({ city: 'San José' }),
})
const past = anEvent({ title: 'Café of old', startsAt: '2026-02-02T00:00:00Z' })
const older = anEvent({ title: 'Café of yore', startsAt: '2025-02-02T00:00:00Z' })
const index = searchIndex([older, past, soon, ahead], now)
const titlesFor = (query: string) => matchingEntries(index, query).map(({ event }) => event.title)

describe('matchingEntries', () => {
  it('lists upcoming events first, then past events from the latest', () => {
    expect(titlesFor('cafe')).toEqual(['Später Café', 'Café of old', 'Café of yore'])
    expect(matchingEntries(index, 'cafe').map(({ isPast }) => isPast)).toEqual([false, true, true])
  })

  it.each([
    ['spater', 'Später Café'],
    ['OKAFOR', 'Später Café'],
    ['san jose', 'Property walk'],
    ['in-person', 'Property walk'],
    ['walk  jose ', 'Property walk'],
  ])('finds by title, speaker, city and type: %s', (query, title) => {
    expect(titlesFor(query)).toEqual([title])
  })

  it('requires all words', () => {
    expect(titlesFor('cafe walk')).toEqual([])
  })

  it('returns nothing for a blank query', () => {
    expect(titlesFor('  ')).toEqual([])
  })

  it('takes less than a frame for 2,000 events', () => {
    const many = Array.from({ length: 2000 }, (_, at) =>
      anEvent({ title: `Événement numéro ${at} about an operating agreement` }),
    )
    const large = searchIndex(many, now)
    const times = ['e', 'ev', 'eve agree', 'numero 19', 'nothing at all'].map((query) => {
      const start = performance.now()
      matchingEntries(large, query)
      return performance.now() - start
    })
    expect(Math.min(...times)).toBeLessThan(16)
  })
})

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

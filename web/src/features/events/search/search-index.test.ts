// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { normalizedWords } from '../../../lib/text'
import { anEvent, anInPersonEvent, aLocation, aSpeaker } from '../../../testing/factories'
import { shortestRun } from '../../../testing/measure'
import { eventsFor, findEvents, matchParts, searchIndex } from './search-index'

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
const titlesFor = (query: string) =>
  findEvents(index, query).entries.map(({ event }) => event.title)

const all = [
  anEvent({
    title: 'Walk with Pilar',
    type: 'Special',
    date: '2026-12-01',
    startsAt: '2026-12-02T00:00:00Z',
    series: 'García evenings',
  }),
  anEvent({
    title: 'The second pillar',
    type: 'Special',
    date: '2026-12-11',
    startsAt: '2026-12-12T00:00:00Z',
  }),
  anEvent({
    title: 'Kubernetes for landlords',
    type: 'Special',
    date: '2027-01-20',
    startsAt: '2027-01-20T20:00:00Z',
  }),
]
const many = searchIndex(all, now)
const typos = (query: string) => findEvents(many, query).entries.map(({ event }) => event.title)

describe('findEvents', () => {
  it('lists upcoming events first, then past events from the latest', () => {
    expect(titlesFor('cafe')).toEqual(['Später Café', 'Café of old', 'Café of yore'])
    expect(findEvents(index, 'cafe').entries.map(({ isPast }) => isPast)).toEqual([
      false,
      true,
      true,
    ])
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

  it.each([
    ['kubernets', 'Kubernetes for landlords'],
    ['kuberntes', 'Kubernetes for landlords'],
    ['kuebrnets', 'Kubernetes for landlords'],
    ['kubrn', 'Kubernetes for landlords'],
    ['lanldords', 'Kubernetes for landlords'],
    ['garcya', 'Walk with Pilar'],
    ['decmber garcía', 'Walk with Pilar'],
  ])('forgives a typo: %s', (query, title) => {
    expect(typos(query)).toEqual([title])
  })

  it('lists exact matches before similar words, which are marked too', () => {
    expect(typos('pilar')).toEqual(['Walk with Pilar', 'The second pillar'])
    expect(typos('pillar')).toEqual(['The second pillar', 'Walk with Pilar'])
    expect(findEvents(many, 'pilar').marked).toContain('pillar')
  })

  it.each(['xubornetis', 'tie', 'walc on'])('does not guess: %s', (query) => {
    expect(typos(query)).toEqual([])
  })

  it.each([
    ['december', ['Walk with Pilar', 'The second pillar']],
    ['DEC', ['Walk with Pilar', 'The second pillar']],
    ['dec 1', ['Walk with Pilar']],
    ['Dec. 1st', ['Walk with Pilar']],
    ['december 1, 2026', ['Walk with Pilar']],
    ['1 dec', ['Walk with Pilar']],
    ['12/1', ['Walk with Pilar']],
    ['12/01/2026', ['Walk with Pilar']],
    ['2026-12', ['Walk with Pilar', 'The second pillar']],
    ['2026-12-1', ['Walk with Pilar']],
    ['2026-12-11', ['The second pillar']],
    ['dec 11 pillar', ['The second pillar']],
    ['dec 2', []],
    ['2027', ['Kubernetes for landlords']],
    ['december 2027', []],
  ])('knows months and dates: %s', (query, titles) => {
    expect(typos(query)).toEqual(titles)
  })

  it('finds the same among the events found', () => {
    const events = eventsFor(all, 'pilar december', now)
    expect(eventsFor(events, 'pilar december', now)).toEqual(events)
    expect(events).toHaveLength(2)
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
    for (const query of [
      'e',
      'ev',
      'eve agree',
      'numero 19',
      'nothing at all',
      'operatng agreemnt',
    ]) {
      expect(
        shortestRun(16, () => findEvents(large, query)),
        query,
      ).toBeLessThan(16)
    }
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

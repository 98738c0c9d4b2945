// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { anEvent, aSpeaker } from '../../../testing/factories'
import { foundEvents, listedEvents, pageOf, type Search } from './event-filter'

const now = Date.parse('2026-06-01T12:00:00Z')
const all: Search = { text: '', type: null, period: null }

const at = (title: string, startsAt: string, over = {}) => anEvent({ title, startsAt, ...over })
const titles = (events: readonly { event: { title: string } }[]) =>
  events.map(({ event }) => event.title)

describe('listedEvents', () => {
  it('begins with what comes next and ends with what is long over', () => {
    const events = [
      at('Last year', '2025-06-01T12:00:00Z'),
      at('Yesterday', '2026-05-31T12:00:00Z'),
      at('Tomorrow', '2026-06-02T12:00:00Z'),
      at('Next year', '2027-06-01T12:00:00Z'),
    ]
    const hidden = [at('Hidden next week', '2026-06-08T12:00:00Z')]
    expect(titles(listedEvents(events, hidden, now))).toEqual([
      'Tomorrow',
      'Hidden next week',
      'Next year',
      'Yesterday',
      'Last year',
    ])
  })

  it('shows an event once that is on its way from one list to the other', () => {
    const event = at('Both', '2026-06-02T12:00:00Z')
    const listed = listedEvents([event], [event], now)
    expect(listed).toHaveLength(1)
    expect(listed[0]?.isHidden).toBe(true)
  })

  it('orders and searches two thousand events in a moment', () => {
    const events = Array.from({ length: 2000 }, (_, index) =>
      at(`Number ${index}.`, new Date(now + (index - 1000) * 3_600_000).toISOString()),
    )
    const began = performance.now()
    const found = foundEvents(listedEvents(events, [], now), { ...all, text: 'number 1999.' })
    expect(performance.now() - began).toBeLessThan(300)
    expect(titles(found)).toEqual(['Number 1999.'])
  })
})

describe('foundEvents', () => {
  const events = listedEvents(
    [
      at('Rent rolls', '2026-06-02T12:00:00Z', {}),
      anEvent({ title: 'Leases', startsAt: '2026-05-02T12:00:00Z', type: 'Special' }, [
        aSpeaker({ name: 'Zoë Ångström' }),
      ]),
    ],
    [at('Gone', '2026-06-03T12:00:00Z')],
    now,
  )

  it.each([
    ['', ['Rent rolls', 'Gone', 'Leases']],
    ['RENT', ['Rent rolls']],
    ['rolls rent', ['Rent rolls']],
    ['angstrom', ['Leases']],
    ['special', ['Leases']],
    ['pillars', ['Rent rolls', 'Gone']],
    ['rent special', []],
  ])('finds by words in title, speaker and type: %j', (text, expected) => {
    expect(titles(foundEvents(events, { ...all, text }))).toEqual(expected)
  })

  it('narrows to a type and to a period', () => {
    expect(titles(foundEvents(events, { ...all, type: 'Special' }))).toEqual(['Leases'])
    expect(titles(foundEvents(events, { ...all, period: 'past' }))).toEqual(['Leases'])
    expect(titles(foundEvents(events, { ...all, period: 'hidden' }))).toEqual(['Gone'])
    expect(titles(foundEvents(events, { ...all, period: 'upcoming' }))).toEqual([
      'Rent rolls',
      'Gone',
    ])
  })
})

describe('pageOf', () => {
  it.each([
    [0, 1, 1, 1],
    [6, 1, 1, 1],
    [7, 2, 2, 2],
    [7, 9, 2, 2],
    [13, -1, 1, 3],
  ])('of %i events and page %i asked for shows page %i of %i', (count, asked, page, pages) => {
    expect(pageOf(count, asked)).toEqual({ page, pages })
  })
})

// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { aLocation, anEvent, aSpeaker } from '../../../testing/factories'
import { shortestRun } from '../../../testing/measure'
import {
  listedEvents,
  matchingEvents,
  monthsOf,
  pageOf,
  type Search,
  sortedEvents,
} from './event-filter'

const now = Date.parse('2026-06-01T12:00:00Z')
const all: Search = { text: '', type: null, status: null, month: null }

const at = (title: string, startsAt: string, over = {}) => anEvent({ title, startsAt, ...over })
const titles = (events: readonly { event: { title: string } }[]) =>
  events.map(({ event }) => event.title)

describe('listedEvents', () => {
  it('lists upcoming events by start, then past events from the latest', () => {
    const events = [
      at('Last year', '2025-06-01T12:00:00Z'),
      at('Yesterday', '2026-05-31T12:00:00Z'),
      at('Tomorrow', '2026-06-02T12:00:00Z'),
      at('Next year', '2027-06-01T12:00:00Z'),
    ]
    const hidden = [at('Hidden next week', '2026-06-08T12:00:00Z', { status: 'hidden' })]
    expect(titles(listedEvents(events, hidden, now))).toEqual([
      'Tomorrow',
      'Hidden next week',
      'Next year',
      'Yesterday',
      'Last year',
    ])
  })

  it('lists an event once that is in both lists', () => {
    const event = at('Both', '2026-06-02T12:00:00Z')
    const listed = listedEvents([event], [{ ...event, status: 'hidden' }], now)
    expect(listed).toHaveLength(1)
    expect(listed[0]?.status).toBe('hidden')
  })

  it('lists a draft without a date first, and a scheduled event as published from its time on', () => {
    const publishAt = '2026-06-01T12:00:00Z'
    const unpublished = [
      at('Undated', '', { status: 'draft', date: '', time: '' }),
      at('Due', '2026-06-03T12:00:00Z', { status: 'scheduled', publishAt }),
    ]
    const listed = listedEvents([at('Tomorrow', '2026-06-02T12:00:00Z')], unpublished, now)
    expect(titles(listed)).toEqual(['Undated', 'Tomorrow', 'Due'])
    expect(listed.map(({ status }) => status)).toEqual(['draft', 'published', 'published'])
    const earlier = listedEvents([], unpublished, now - 1)
    expect(earlier.map(({ status }) => status)).toEqual(['draft', 'scheduled'])
  })

  it('sorts and searches 2,000 events within the time limit', () => {
    const events = Array.from({ length: 2000 }, (_, index) =>
      at(`Number ${index}.`, new Date(now + (index - 1000) * 3_600_000).toISOString()),
    )
    const find = () =>
      matchingEvents(listedEvents(events, [], now), { ...all, text: 'number 1999.' })
    expect(shortestRun(300, find)).toBeLessThan(300)
    expect(titles(find())).toEqual(['Number 1999.'])
  })
})

describe('matchingEvents', () => {
  const events = listedEvents(
    [
      at('Rent rolls', '2026-06-02T12:00:00Z', {}),
      anEvent({ title: 'Leases', startsAt: '2026-05-02T12:00:00Z', type: 'Special' }, [
        aSpeaker({ name: 'Zoë Ångström' }),
      ]),
    ],
    [at('Gone', '2026-06-03T12:00:00Z', { status: 'hidden' })],
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
  ])('matches words in title, speaker and type: %j', (text, expected) => {
    expect(titles(matchingEvents(events, { ...all, text }))).toEqual(expected)
  })

  it('filters by type and by status', () => {
    expect(titles(matchingEvents(events, { ...all, type: 'Special' }))).toEqual(['Leases'])
    expect(titles(matchingEvents(events, { ...all, status: 'past' }))).toEqual(['Leases'])
    expect(titles(matchingEvents(events, { ...all, status: 'hidden' }))).toEqual(['Gone'])
    expect(titles(matchingEvents(events, { ...all, status: 'upcoming' }))).toEqual([
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
  ])('limits, for %i events, page %i to page %i of %i', (count, requested, page, pages) => {
    expect(pageOf(count, requested)).toEqual({ page, pages })
  })
})

describe('the search by city and date', () => {
  const events = listedEvents(
    [
      at('River walk', '2031-12-01T15:00:00Z', { date: '2031-12-01', location: aLocation() }),
      at('Rent rolls', '2031-11-12T15:00:00Z', { date: '2031-11-12' }),
      at('Idea', '', { date: '', status: 'draft' }),
    ],
    [],
    now,
  )
  const found = (text: string) => titles(matchingEvents(events, { ...all, text }))

  it.each(['scottsdale', 'dec 1', '12/1', '2031-12', 'december', 'walk 1 dec'])(
    'finds the walk by %s',
    (text) => {
      expect(found(text)).toEqual(['River walk'])
    },
  )

  it('lists the months that have events, and the events of one', () => {
    expect(monthsOf(events)).toEqual(['2031-11', '2031-12'])
    expect(titles(matchingEvents(events, { ...all, month: '2031-11' }))).toEqual(['Rent rolls'])
  })

  it('filters 2,000 events within 100 ms', () => {
    const many = listedEvents(
      Array.from({ length: 2000 }, (_, index) => {
        const startsAt = new Date(now + index * 86_400_000).toISOString()
        const location = aLocation({ city: `City ${index}` })
        return at(`Number ${index}.`, startsAt, { date: startsAt.slice(0, 10), location })
      }),
      [],
      now,
    )
    const began = performance.now()
    expect(matchingEvents(many, { ...all, text: 'city 1999 number' })).toHaveLength(1)
    expect(matchingEvents(many, { ...all, text: 'dec 1' }).length).toBeGreaterThan(1)
    expect(performance.now() - began).toBeLessThan(100)
  })
})

describe('sortedEvents', () => {
  const events = listedEvents(
    [
      at('Event 10', '2026-06-02T12:00:00Z', { updatedAt: '2026-01-01T00:00:00Z' }),
      at('event 9', '2026-06-03T12:00:00Z', { updatedAt: '2026-01-03T00:00:00Z' }),
      at('Old', '2026-01-03T12:00:00Z', { updatedAt: '2026-01-02T00:00:00Z' }),
    ],
    [],
    now,
  )

  it.each([
    ['upcoming', ['Event 10', 'event 9', 'Old']],
    ['earliest', ['Old', 'Event 10', 'event 9']],
    ['latest', ['event 9', 'Event 10', 'Old']],
    ['title', ['event 9', 'Event 10', 'Old']],
    ['changed', ['event 9', 'Old', 'Event 10']],
  ] as const)('sorts by %s', (sort, expected) => {
    expect(titles(sortedEvents(events, sort))).toEqual(expected)
  })
})

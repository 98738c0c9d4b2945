// @vitest-environment node
import { describe, expect, it, vi } from 'vitest'
import { anEvent } from '../../../testing/factories'
import { calendarEntries } from './entries'
import { laneCount, layoutDay, spanOf } from './time-layout'

type Times = [start: number, hours: number][]

/** The positions of events in pixels from midnight and percent of the width. */
function positionsOf(times: Times) {
  const spans = times.map(([start, hours]) => {
    const [entry] = calendarEntries([anEvent()])
    if (!entry) throw new Error('The event has no entry')
    return { entry, top: (start / 24) * 100, height: (hours / 24) * 100 }
  })
  return layoutDay(spans).map(({ top, left, width, hiddenCount, isCounted }) => {
    const position = `${Math.round((top / 100) * 24 * 56)}px ${Math.round(left)}+${Math.round(width)}`
    if (isCounted) return `${position} counted`
    return hiddenCount ? `${position} for ${hiddenCount}` : position
  })
}

const five: Times = Array.from({ length: 5 }, () => [9, 1])

describe('layoutDay', () => {
  it.each<[string, Times, string[]]>([
    ['gives an event alone the whole width', [[9, 1]], ['504px 0+100']],
    [
      'shares the width',
      [
        [9, 1],
        [9, 2],
      ],
      ['504px 0+50', '504px 50+50'],
    ],
    [
      'uses a column again after an event',
      [
        [9, 1],
        [9, 3],
        [10, 1],
      ],
      ['504px 0+50', '504px 50+50', '560px 50+50'],
    ],
    [
      'lists events by their start',
      [
        [9, 1],
        [9.5, 2],
        [10, 1],
      ],
      ['504px 0+50', '532px 50+50', '560px 0+50'],
    ],
    [
      'gives separate events the whole width',
      [
        [9, 1],
        [10, 1],
      ],
      ['504px 0+100', '560px 0+100'],
    ],
    [
      'treats a short event as high as it is drawn',
      [
        [9, 0.25],
        [9.25, 1],
      ],
      ['504px 0+50', '518px 50+50'],
    ],
    [
      'shows five at once side by side, each at its own time',
      five,
      ['504px 0+20', '504px 20+20', '504px 40+20', '504px 60+20', '504px 80+20'],
    ],
    [
      'counts those beyond six at once in the last lane',
      [...five, ...five, [11, 1]],
      [
        '504px 0+17',
        '504px 17+17',
        '504px 33+17',
        '504px 50+17',
        '504px 67+17',
        '504px 83+17 for 5',
        ...five.map(() => '504px 83+17 counted'),
        '616px 0+100',
      ],
    ],
    [
      'keeps events at their own times beside a long one',
      [
        [8, 8],
        [9, 1],
        [9, 1],
      ],
      ['448px 0+33', '504px 33+33', '504px 67+33'],
    ],
  ])('%s', (_, times, positions) => {
    expect(positionsOf(times)).toEqual(positions)
  })
})

describe('laneCount', () => {
  it.each<[string, string[], number]>([
    ['is one without events', [], 1],
    ['is one for events after one another', ['09:00', '10:00'], 1],
    ['is the number of events at once', ['09:00', '09:30', '09:45', '12:00'], 3],
    ['is six at most', Array.from({ length: 9 }, () => '09:00'), 6],
  ])('%s', (_, times, lanes) => {
    expect(laneCount(calendarEntries(times.map((time) => anEvent({ time }))))).toBe(lanes)
  })
})

describe('spanOf', () => {
  // In New York the clocks skip from 2:00 to 3:00 on this day, in Honolulu they do not.
  it.each([
    ['01:30', '60 minutes', '2027-03-14', 1.5, 1],
    ['02:30', '45 minutes', '2027-03-14', 2.5, 0.75],
    ['22:30', '180 minutes', '2027-03-14', 22.5, 1.5],
    ['22:30', '180 minutes', '2027-03-15', 0, 1.5],
  ])('is at %s for %s on %s', (time, duration, day, top, height) => {
    vi.stubEnv('TZ', 'America/New_York')
    const [entry] = calendarEntries([
      anEvent({ date: '2027-03-14', time, duration, timezone: 'Pacific/Honolulu' }),
    ])
    const span = entry && spanOf(entry, day)
    expect(span?.top).toBeCloseTo((top / 24) * 100)
    expect(span?.height).toBeCloseTo((height / 24) * 100)
    vi.unstubAllEnvs()
  })
})

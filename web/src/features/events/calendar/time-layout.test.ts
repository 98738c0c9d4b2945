// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { anEvent } from '../../../testing/factories'
import { calendarEntries } from './entries'
import { layoutDay } from './time-layout'

type Times = [start: number, hours: number][]

/** The places of events in pixels from midnight and percent of the width. */
function placesOf(times: Times, limit: number) {
  const spans = times.map(([start, hours]) => {
    const [entry] = calendarEntries([anEvent()])
    if (!entry) throw new Error('The event has no entry')
    return { entry, top: (start / 24) * 100, height: (hours / 24) * 100 }
  })
  return layoutDay(spans, limit).map(({ top, left, width, hiddenCount }) => {
    const place = `${Math.round((top / 100) * 24 * 56)}px ${left}+${width}`
    return hiddenCount ? `${place} for ${hiddenCount}` : place
  })
}

const five: Times = Array.from({ length: 5 }, () => [9, 1])

describe('layoutDay', () => {
  it.each<[string, Times, number, string[]]>([
    ['gives an event alone the whole width', [[9, 1]], 2, ['504px 0+100']],
    [
      'shares the width',
      [
        [9, 1],
        [9, 2],
      ],
      2,
      ['504px 0+50', '504px 50+50'],
    ],
    [
      'uses a column again after an event',
      [
        [9, 1],
        [9, 3],
        [10, 1],
      ],
      2,
      ['504px 0+50', '504px 50+50', '560px 50+50'],
    ],
    [
      'gives separate events the whole width',
      [
        [9, 1],
        [10, 1],
      ],
      2,
      ['504px 0+100', '560px 0+100'],
    ],
    [
      'treats a short event as high as it is drawn',
      [
        [9, 0.25],
        [9.25, 1],
      ],
      2,
      ['504px 0+50', '518px 50+50'],
    ],
    [
      'stacks five at once as lines',
      five,
      2,
      ['504px 0+100', '531px 0+100', '558px 0+100', '585px 0+100', '612px 0+100'],
    ],
    [
      'counts those for which there is no room before the next event',
      [...five, [11, 1]],
      2,
      ['504px 0+100', '531px 0+100', '558px 0+100', '585px 0+100 for 2', '616px 0+100'],
    ],
    [
      'keeps lines at their own times',
      [
        [8, 8],
        [9, 1],
        [9, 1],
      ],
      2,
      ['448px 0+100', '504px 0+100', '531px 0+100'],
    ],
    ['counts all at the end of the day', five.map(() => [23.5, 0.5]), 2, ['1316px 0+100 for 5']],
    [
      'shows five side by side where there is room',
      five,
      6,
      ['504px 0+20', '504px 20+20', '504px 40+20', '504px 60+20', '504px 80+20'],
    ],
  ])('%s', (_, times, limit, places) => {
    expect(placesOf(times, limit)).toEqual(places)
  })
})

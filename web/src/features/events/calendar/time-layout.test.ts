// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { anEvent } from '../../../testing/factories'
import { calendarEntries } from './entries'
import { layoutDay } from './time-layout'

/** Places events of `[start, hours]` and returns `left+width` of each, or the number it counts. */
function placesOf(times: [number, number][], limit: number) {
  const spans = times.map(([start, hours]) => {
    const [entry] = calendarEntries([anEvent()])
    if (!entry) throw new Error('The event has no entry')
    return { entry, top: (start / 24) * 100, height: (hours / 24) * 100 }
  })
  return layoutDay(spans, limit).map(({ left, width, others, top }) =>
    others
      ? `${Math.round((top / 100) * 24)}h: ${others} others at ${left}+${width}`
      : `${Math.round((top / 100) * 24)}h: ${left}+${width}`,
  )
}

describe('layoutDay', () => {
  it.each<[string, [number, number][], number, string[]]>([
    ['gives an event alone the whole width', [[9, 1]], 2, ['9h: 0+100']],
    [
      'shares the width',
      [
        [9, 1],
        [9, 2],
      ],
      2,
      ['9h: 0+50', '9h: 50+50'],
    ],
    [
      'uses a column again after an event',
      [
        [9, 1],
        [9, 3],
        [10, 1],
      ],
      2,
      ['9h: 0+50', '9h: 50+50', '10h: 50+50'],
    ],
    [
      'gives separate events the whole width',
      [
        [9, 1],
        [10, 1],
      ],
      2,
      ['9h: 0+100', '10h: 0+100'],
    ],
    [
      'treats a short event as high as it is drawn',
      [
        [9, 0.25],
        [9.25, 1],
      ],
      2,
      ['9h: 0+50', '9h: 50+50'],
    ],
    [
      'counts those that have no column',
      Array(5).fill([9, 1]),
      2,
      ['9h: 0+50', '9h: 4 others at 50+50'],
    ],
    [
      'counts them apart at different times',
      [
        [8, 8],
        [9, 1],
        [9, 1],
        [13, 1],
        [13, 1],
      ],
      2,
      ['8h: 0+50', '9h: 2 others at 50+50', '13h: 2 others at 50+50'],
    ],
    [
      'shows five in a view that has room',
      Array(5).fill([9, 1]),
      6,
      ['9h: 0+20', '9h: 20+20', '9h: 40+20', '9h: 60+20', '9h: 80+20'],
    ],
  ])('%s', (_, times, limit, places) => {
    expect(placesOf(times, limit)).toEqual(places)
  })
})

// @vitest-environment node
import { describe, expect, it, vi } from 'vitest'
import type { CalendarEvent } from '../../../api/types'
import { anEvent } from '../../../testing/factories'
import { durationOf } from '../event-time'
import { calendarEntries } from './entries'

describe('durationOf', () => {
  it.each([
    [90, 90],
    ['90 minutes', 90],
    ['about 45', 45],
    ['1.5', 1.5],
    ['a while', 60],
    ['', 60],
    [null, 60],
    [undefined, 60],
    [NaN, 60],
    [0, 60],
    ['0 minutes', 60],
  ])('reads %j as %d minutes', (duration, minutes) => {
    expect(durationOf(duration)).toBe(minutes)
  })
})

describe('calendarEntries', () => {
  it('uses the event’s local time in any browser time zone', () => {
    const [entry] = calendarEntries([
      anEvent({ date: '2026-03-08', time: '19:30', timezone: 'Pacific/Honolulu' }),
    ])
    expect(entry?.start).toEqual(new Date(2026, 2, 8, 19, 30))
    expect(new Date(entry?.startsAt ?? 0).toISOString()).toBe('2026-03-09T05:30:00.000Z')
  })

  it('ends an event after its duration; one that ends at midnight stays within its day', () => {
    const [entry] = calendarEntries([
      anEvent({ date: '2026-03-08', time: '22:30', duration: '90 minutes' }),
    ])
    expect(entry?.endsAt).toBe((entry?.startsAt ?? 0) + 90 * 60_000)
    expect(entry?.end.getDate()).toBe(8)
  })

  it('sorts by the clocks of the events on a day on which those of the browser skip an hour', () => {
    vi.stubEnv('TZ', 'America/New_York')
    expect(new Date(2028, 2, 12, 2, 30).getHours()).toBe(3)
    const [early, late] = ['02:30', '03:00'].map((time) =>
      anEvent({ date: '2028-03-12', time, timezone: 'Europe/London' }),
    ) as [CalendarEvent, CalendarEvent]
    const times = calendarEntries([late, early]).map(({ event }) => event.time)
    expect(times).toEqual(['02:30', '03:00'])
    vi.unstubAllEnvs()
  })

  it('drops events without date, time or title', () => {
    const broken = { date: null } as unknown as Partial<CalendarEvent>
    expect(
      calendarEntries([
        anEvent({ date: '' }),
        anEvent({ time: ' ' }),
        anEvent({ title: '' }),
        anEvent(broken),
      ]),
    ).toEqual([])
  })

  it('skips and logs an event with an invalid time', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const good = anEvent()
    const entries = calendarEntries([
      anEvent({ date: '2026-02-30' }),
      anEvent({ timezone: 'Nowhere/Land' }),
      anEvent({ time: 'noon' }),
      good,
    ])
    expect(entries.map(({ event }) => event)).toEqual([good])
    expect(warn).toHaveBeenCalledTimes(3)
  })

  it('sorts by day and time', () => {
    const late = anEvent({ date: '2026-03-08', time: '20:00', timezone: 'America/New_York' })
    const early = anEvent({ date: '2026-03-08', time: '09:00', timezone: 'Pacific/Honolulu' })
    const before = anEvent({ date: '2026-03-07', time: '23:00' })
    expect(calendarEntries([late, early, before]).map(({ event }) => event)).toEqual([
      before,
      early,
      late,
    ])
  })
})

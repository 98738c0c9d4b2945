// @vitest-environment node
import { describe, expect, it } from 'vitest'
import type { CalendarEvent } from '../../api/types'
import { anEvent } from '../../testing/factories'
import { firstOngoing, firstUpcoming, timedEventsOf } from './use-next-event'

const noon = Date.parse('2026-03-05T17:00:00Z')
const at = (date: string, time: string, timezone = 'America/New_York') =>
  anEvent({ date, time, timezone })

const nextEventOf = (events: CalendarEvent[], now: number) =>
  firstUpcoming(timedEventsOf(events), now)

describe('the first upcoming event', () => {
  it('is the first that starts now or later', () => {
    const past = at('2026-03-05', '11:59')
    const now = at('2026-03-05', '12:00')
    const later = at('2026-03-06', '12:00')
    expect(nextEventOf([later, past, now], noon)).toBe(now)
  })

  it('compares instants, not clocks', () => {
    const eastern = at('2026-03-05', '13:30')
    const pacific = at('2026-03-05', '10:15', 'America/Los_Angeles')
    expect(nextEventOf([eastern, pacific], noon)).toBe(pacific)
  })

  it('skips events with an invalid time', () => {
    expect(nextEventOf([at('', '10:00'), at('2026-03-09', 'noon')], noon)).toBeUndefined()
  })
})

describe('the first ongoing event', () => {
  it('has started, and ends later', () => {
    const over = { ...at('2026-03-05', '10:00'), duration: '120 minutes' }
    const ongoing = { ...at('2026-03-05', '11:00'), duration: '90 minutes' }
    expect(firstOngoing(timedEventsOf([ongoing, over]), noon)).toBe(ongoing)
    expect(firstOngoing(timedEventsOf([over]), noon)).toBeUndefined()
  })
})

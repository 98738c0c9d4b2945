// @vitest-environment node
import { describe, expect, it } from 'vitest'
import alternates from '../../../../src/tests/rule_cases/alternate_times.json'
import cases from '../../../../src/tests/rule_cases/wall_clock.json'
import abbreviations from '../../../../src/tests/rule_cases/zone_abbreviations.json'
import { isZone } from '../../lib/zones'
import {
  alternateTimes,
  dateLabel,
  dayLabel,
  instantOf,
  startOf,
  visitorTime,
  timeLabel,
  whenLabel,
  zoneAbbreviation,
} from './event-time'

const summer = Date.parse('2026-07-01T18:00:00Z')
const winter = Date.parse('2026-01-15T18:00:00Z')

describe('instantOf', () => {
  it.each(cases)('$zone $date $time is $utc ($note)', ({ zone, date, time, utc }) => {
    expect(instantOf(date, time, zone)).toBe(Date.parse(utc))
  })

  it.each([
    ['2026-02-30', '10:00', 'America/New_York'],
    ['2026-3-1', '10:00', 'America/New_York'],
    ['', '10:00', 'America/New_York'],
    ['2026-03-01', '24:00', 'America/New_York'],
    ['2026-03-01', '', 'America/New_York'],
    ['2026-03-01', '10:00', 'Nowhere/Land'],
  ])('returns NaN for %j %j in %s', (date, time, zone) => {
    expect(instantOf(date, time, zone)).toBeNaN()
  })
})

describe('labels', () => {
  const start = startOf({ date: '2026-03-10', time: '20:00', timezone: 'America/New_York' })

  it('formats the date as MMMM d, yyyy in the zone of the event', () => {
    expect(dateLabel(start, 'America/New_York')).toBe('March 10, 2026')
    expect(dateLabel(start, 'UTC')).toBe('March 11, 2026')
  })

  it('formats the time as h:mm a with the abbreviation of the zone', () => {
    expect(timeLabel(start, 'America/New_York')).toBe('8:00 PM ET')
    expect(timeLabel(start, 'Pacific/Honolulu')).toBe('2:00 PM HT')
    expect(timeLabel(startOf({ date: '2026-03-10', time: '00:05', timezone: 'UTC' }), 'UTC')).toBe(
      '12:05 AM UTC',
    )
  })

  it('formats date and time as MMMM d, yyyy at h:mm a with the zone', () => {
    expect(whenLabel(start, 'America/New_York')).toBe('March 10, 2026 at 8:00 PM ET')
  })

  it('formats a day with its weekday', () => {
    expect(dayLabel('2026-03-12')).toBe('Thursday, March 12')
  })

  it.each([
    ['America/New_York', 'ET'],
    ['America/Chicago', 'CT'],
    ['America/Denver', 'MT'],
    ['America/Los_Angeles', 'PT'],
    ['Pacific/Honolulu', 'HT'],
    ['America/Anchorage', 'AKT'],
  ])('shortens %s to %s all year', (zone, short) => {
    expect(zoneAbbreviation(summer, zone)).toBe(short)
    expect(zoneAbbreviation(winter, zone)).toBe(short)
  })

  it('shows the listed abbreviation of other zones by season', () => {
    expect(zoneAbbreviation(summer, 'America/Phoenix')).toBe('MST')
    expect(zoneAbbreviation(summer, 'Europe/London')).toBe('BST')
    expect(zoneAbbreviation(winter, 'Europe/London')).toBe('GMT')
  })

  it('supports the zones of the table', () => {
    expect(Object.values(abbreviations).flat().filter(isZone).length).toBeGreaterThan(500)
  })

  // The server's tests generate this file from all zones that the server supports.
  it.each(Object.entries(abbreviations))(
    'shows %s in winter and summer as the server does',
    (label, zones) => {
      const instants = ['2026-01-15T18:00:00Z', '2026-07-15T18:00:00Z'].map(Date.parse)
      for (const zone of zones.filter(isZone)) {
        const shown = instants.map((instant) => zoneAbbreviation(instant, zone)).join(' ')
        expect(`${zone}: ${shown}`).toBe(`${zone}: ${label}`)
      }
    },
  )
})

describe('alternateTimes', () => {
  it.each(alternates)('in $zone at $utc: $note', ({ zone, utc, label }) => {
    expect(alternateTimes(Date.parse(utc), zone).join(' / ')).toBe(label)
  })
})

describe('visitorTime', () => {
  it('is the time in the visitor’s zone', () => {
    expect(visitorTime(summer, 'America/New_York', 'America/Chicago')).toBe('1:00 PM CT')
  })

  it('includes the date if it differs', () => {
    expect(visitorTime(summer, 'America/New_York', 'Asia/Tokyo')).toMatch(/^Jul 2, 3:00 AM /)
  })

  it('is null if both zones show the same time', () => {
    expect(visitorTime(summer, 'America/New_York', 'America/Toronto')).toBeNull()
    expect(visitorTime(winter, 'America/Denver', 'America/Phoenix')).toBeNull()
    expect(visitorTime(summer, 'America/Denver', 'America/Phoenix')).not.toBeNull()
    expect(visitorTime(summer, 'America/Denver', 'Nowhere/Land')).toBeNull()
  })
})

import { otherAbbreviations, timeZones } from '../../api/generated/contract'
import type { CalendarEvent } from '../../api/types'
import { isZone, offsetAt, wallClock } from '../../lib/zones'

/** The start of an event: its wall-clock time and time zone. */
export type EventClock = Pick<CalendarEvent, 'date' | 'time' | 'timezone'>

const day = 24 * 60 * 60 * 1000
/** The default duration in minutes (spec §9). */
const defaultDuration = 60
const eastern = 'America/New_York'
const pacific = 'America/Los_Angeles'

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

/**
 * The instant, in milliseconds, at which clocks in `zone` show `date` (yyyy-MM-dd) and `time`
 * (HH:mm); NaN if one of the three is invalid.
 *
 * A time skipped in spring is shifted forward by the gap; of a time repeated in autumn, the first
 * counts. The server does the same; both are tested against one table of cases.
 */
export function instantOf(date: string, time: string, zone: string): number {
  const wall = parseWallClock(date, time)
  if (Number.isNaN(wall) || !isZone(zone)) return NaN
  // Within a day on both sides there is at most one clock change.
  const before = offsetAt(wall - day, zone)
  const after = offsetAt(wall + day, zone)
  const first = wall - before
  const second = wall - after
  if (offsetAt(first, zone) !== before && offsetAt(second, zone) === after) return second
  return first
}

/** The wall clock as if it were UTC; NaN unless it is a real year-month-day and hour:minute. */
function parseWallClock(date: string, time: string): number {
  return isDate(date) && isTime(time) ? Date.parse(`${date}T${time}:00Z`) : NaN
}

/** Whether this is a real day, yyyy-MM-dd. */
export function isDate(date: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return false
  const start = Date.parse(`${date}T00:00:00Z`)
  // `Date.parse` reads February 30 as March 2.
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(date)
}

/** Whether this is a time of day, HH:mm. */
export function isTime(time: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(time)
}

/** The instant at which an event starts, in milliseconds; NaN if its time is invalid. */
export function startOf(event: EventClock): number {
  return instantOf(event.date, event.time, event.timezone)
}

/**
 * The duration in minutes, from a number or a text that contains one; 60 for a text without a
 * number (spec §3).
 */
export function durationOf(duration: unknown): number {
  const text = typeof duration === 'string' ? /\d+(\.\d+)?/.exec(duration)?.[0] : duration
  const minutes = typeof text === 'string' ? Number(text) : text
  return typeof minutes === 'number' && Number.isFinite(minutes) && minutes > 0
    ? minutes
    : defaultDuration
}

/** ` for 60 minutes`, after an event's time; with a no-break space. */
export function durationLabel(duration: unknown): string {
  const minutes = durationOf(duration)
  return ` for ${minutes}\u00a0${minutes === 1 ? 'minute' : 'minutes'}`
}

/** The instant at which an event ends, in milliseconds; NaN if its time is invalid. */
export function endOf(event: CalendarEvent): number {
  return startOf(event) + durationOf(event.duration) * 60_000
}

/**
 * The abbreviation after a time: `ET` etc. for the zones of spec §3 and a few others, else the
 * offset from GMT. The server does the same; both are tested against one table of cases.
 */
export function zoneAbbreviation(instant: number, zone: string): string {
  const offset = Math.floor(offsetAt(instant, zone) / 60_000)
  const listed =
    timeZones.find(({ id }) => id === zone) ??
    otherAbbreviations.find((other) => other.id === zone && other.offset === offset)
  if (listed) return listed.abbreviation
  if (offset === 0) return 'GMT'
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const fraction = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`
  return `GMT${offset < 0 ? '-' : '+'}${hours}${fraction}`
}

/** `March 10, 2026`, in the given zone (spec §3). */
export function dateLabel(instant: number, zone: string): string {
  const wall = wallClock(instant, zone)
  return `${monthName(wall)} ${wall.getUTCDate()}, ${wall.getUTCFullYear()}`
}

/** `8:00 PM ET`, in the given zone (spec §3). */
export function timeLabel(instant: number, zone: string): string {
  const wall = wallClock(instant, zone)
  const [hour, minute] = [wall.getUTCHours(), String(wall.getUTCMinutes()).padStart(2, '0')]
  const clock = `${hour % 12 === 0 ? 12 : hour % 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
  return `${clock} ${zoneAbbreviation(instant, zone)}`
}

// Not by `Intl`, which the server's engine lacks and whose spaces differ between browsers.
const monthName = (wall: Date) => months[wall.getUTCMonth()] ?? ''
const weekdayName = (wall: Date) => weekdays[wall.getUTCDay()] ?? ''

/**
 * The same time in other zones: events in ET or PT also show the other of the two, events in other
 * zones show both (spec §3). If one is on another day than the event's, each names its day:
 * `March 9 at 10:00 PM PT`.
 */
export function alternateTimes(instant: number, zone: string): string[] {
  const others = zone === eastern ? [pacific] : zone === pacific ? [eastern] : [eastern, pacific]
  const isOneDay = others.every((other) => dateLabel(instant, other) === dateLabel(instant, zone))
  return others.map((other) => {
    const time = timeLabel(instant, other)
    return isOneDay ? time : `${dateLabel(instant, other).replace(/,.*/, '')} at ${time}`
  })
}

/** `March 10, 2026 at 8:00 PM ET` (spec §2, /calendar). */
export function whenLabel(instant: number, zone: string): string {
  return `${dateLabel(instant, zone)} at ${timeLabel(instant, zone)}`
}

/** The day in `zone` at an instant, yyyy-MM-dd. */
export function dayAt(instant: number, zone: string): string {
  return new Date(instant + offsetAt(instant, zone)).toISOString().slice(0, 10)
}

/** `Tuesday, March 10` for 2026-03-10. */
export function dayLabel(date: string): string {
  const noon = new Date(`${date}T12:00:00Z`)
  return `${weekdayName(noon)}, ${monthName(noon)} ${noon.getUTCDate()}`
}

/**
 * The time in `visitorZone`, the visitor's zone, with the day if it differs, `Mar 11, 9:00 AM GMT+9`: short enough for
 * the line that the event's page reserves on phones. Null if both zones show the same time.
 */
export function visitorTime(instant: number, zone: string, visitorZone: string): string | null {
  if (!isZone(visitorZone) || offsetAt(instant, zone) === offsetAt(instant, visitorZone))
    return null
  const time = timeLabel(instant, visitorZone)
  if (dateLabel(instant, zone) === dateLabel(instant, visitorZone)) return time
  const day = wallClock(instant, visitorZone)
  return `${monthName(day).slice(0, 3)} ${day.getUTCDate()}, ${time}`
}

/**
 * `Your time: Wed 6:30 AM GMT+5:30` in `visitorZone`, the visitor's zone, with the weekday if it
 * differs; null if both zones show the same time.
 */
export function visitorTimeLabel(
  instant: number,
  zone: string,
  visitorZone: string,
): string | null {
  if (!isZone(visitorZone) || offsetAt(instant, zone) === offsetAt(instant, visitorZone))
    return null
  const weekday = weekdayName(wallClock(instant, visitorZone))
  const other = weekday === weekdayName(wallClock(instant, zone)) ? '' : `${weekday.slice(0, 3)} `
  return `Your time: ${other}${timeLabel(instant, visitorZone)}`
}

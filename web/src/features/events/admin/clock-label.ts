import { type EventClock, instantOf, isDate, timeLabel } from '../event-time'

/** For times without a date: a day on which no clocks change. */
const anyDay = '2026-01-15'

/** `8:00 PM ET` for the wall clock of an event, which may have no date yet; else the time as it is stored. */
export function clockLabel({ date, time, timezone }: EventClock): string {
  const instant = instantOf(isDate(date) ? date : anyDay, time, timezone)
  return Number.isNaN(instant) ? time : timeLabel(instant, timezone)
}

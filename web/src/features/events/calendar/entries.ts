import type { CalendarEvent } from '../../../api/types'
import { startOf, durationOf } from '../event-time'

/** An event on the calendar. */
export interface CalendarEntry {
  id: number
  event: CalendarEvent
  title: string
  /** The instants of start and end, in milliseconds. */
  startsAt: number
  endsAt: number
  /**
   * Start and end in the event's own zone, as local dates: the calendar shows every event at its
   * own local time (guide §6).
   */
  start: Date
  end: Date
}

/**
 * The events as entries, sorted by day and time. Events without date, time or title are dropped;
 * those with an invalid time are skipped and logged (spec §4).
 */
export function calendarEntries(events: readonly CalendarEvent[]): CalendarEntry[] {
  return events
    .filter(({ date, time, title }) => [date, time, title].every(isGiven))
    .flatMap((event) => {
      try {
        return [entryOf(event)]
      } catch (cause) {
        console.warn('Skipped an event with an invalid date, time or zone', cause)
        return []
      }
    })
    .sort((a, b) => wallClockOf(a).localeCompare(wallClockOf(b)) || a.startsAt - b.startsAt)
}

/**
 * What the clocks in the event's own zone show. As a local date, its start may be another time: the
 * clocks of the browser skip an hour on other days, and those of the server none.
 */
const wallClockOf = ({ event: { date, time } }: CalendarEntry) => `${date} ${time}`

/** The API's schema has these, but synced events may violate it. */
function isGiven(value: string | null | undefined): boolean {
  return value !== null && value !== undefined && value.trim() !== ''
}

function entryOf(event: CalendarEvent): CalendarEntry {
  const startsAt = startOf(event)
  if (Number.isNaN(startsAt)) {
    throw new Error(`${event.id}: ${event.date} ${event.time} ${event.timezone}`)
  }
  const minutes = durationOf(event.duration)
  const [year = 0, month = 0, day = 0] = event.date.split('-').map(Number)
  const [hour = 0, minute = 0] = event.time.split(':').map(Number)
  return {
    id: event.id,
    event,
    title: event.title.trim(),
    startsAt,
    endsAt: startsAt + minutes * 60_000,
    start: new Date(year, month - 1, day, hour, minute),
    // An end at midnight stays within the day.
    end: new Date(year, month - 1, day, hour, minute + minutes, 0, -1),
  }
}

/** Entries by day, in order. */
export function groupByDay(entries: readonly CalendarEntry[]): Map<string, CalendarEntry[]> {
  const days = new Map<string, CalendarEntry[]>()
  for (const entry of entries) {
    const dayEntries = days.get(entry.event.date)
    if (dayEntries) dayEntries.push(entry)
    else days.set(entry.event.date, [entry])
  }
  return days
}

import type { CalendarEvent } from '../../api/types'
import { startOf } from './event-time'

/** The default duration in minutes (spec §9). */
const defaultDuration = 60

/**
 * The duration in minutes, from a number or a text that contains one; 60 if there is none
 * (spec §3).
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

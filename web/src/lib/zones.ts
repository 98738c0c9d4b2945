import { serverRuntime } from './server-runtime'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone)
  if (cached) return cached
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone, format)
  return format
}

/** By zone and instant: a page asks for each several times, and formatting takes a phone long. */
const offsets = new Map<string, Map<number, number>>()
/** The maximum number of instants of each zone. */
const maxInstants = 2000

/** How far clocks in `zone` are ahead of UTC at `instant`, in milliseconds; NaN if one is invalid. */
export function offsetAt(instant: number, zone: string): number {
  const known = offsets.get(zone) ?? new Map<number, number>()
  const cached = known.get(instant)
  if (cached !== undefined) return cached
  if (known.size === 0) offsets.set(zone, known)
  if (known.size === maxInstants) known.clear()
  const offset = findOffset(instant, zone)
  known.set(instant, offset)
  return offset
}

function findOffset(instant: number, zone: string): number {
  if (serverRuntime) return serverRuntime.offsetAt(instant, zone)
  if (!isZone(zone) || Number.isNaN(instant)) return NaN
  const parts = formatIn(zone).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((candidate) => candidate.type === type)?.value)
  const wall = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return wall - Math.floor(instant / 1000) * 1000
}

/** Whether this is an IANA zone name; browsers also accept offsets such as +05:00. */
export function isZone(zone: string): boolean {
  if (serverRuntime) return !Number.isNaN(offsetAt(0, zone))
  if (/^[+-]/.test(zone)) return false
  try {
    formatIn(zone)
    return true
  } catch {
    return false
  }
}

/** The wall clock of `zone` at `instant`, as a date whose UTC parts are to be read. */
export function wallClock(instant: number, zone: string): Date {
  return new Date(instant + offsetAt(instant, zone))
}

/** The visitor's zone; null if the browser does not know it by name, such as `Etc/Unknown`. */
export function visitorZone(): string | null {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string }
  return timeZone !== undefined && isZone(timeZone) ? timeZone : null
}

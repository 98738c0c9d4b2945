import type { CalendarEntry } from './entries'

/** The heights of an hour and of the shortest event, in pixels (guide §6). */
const hourHeight = 56
const minHeight = 27

export const minutesPerDay = 24 * 60
const minHeightPercent = (minHeight / (24 * hourHeight)) * 100

/** The most lanes of a day; further events are counted in the last one. */
const maxLanes = 6

/** An entry's vertical position in its day, in percent. */
export interface Span {
  entry: CalendarEntry
  top: number
  height: number
}

/** A span with its horizontal position in the day's column, in percent of its width. */
export interface PositionedSpan extends Span {
  left: number
  width: number
  /** The number of entries that this position stands for, if they are not shown. */
  hiddenCount?: number
  /** Whether a position with `hiddenCount` stands for this entry. */
  isCounted?: boolean
}

/**
 * The position of an entry on a day (yyyy-MM-dd), by the clock of its own zone: that of the browser
 * may skip or repeat an hour on this day.
 */
export function spanOf(entry: CalendarEntry, day: string): Span {
  const [hour = 0, minute = 0] = entry.event.time.split(':').map(Number)
  const start = (Date.parse(entry.event.date) - Date.parse(day)) / 60_000 + hour * 60 + minute
  const end = start + (entry.endsAt - entry.startsAt) / 60_000
  const percent = (minutes: number) =>
    (Math.min(Math.max(minutes, 0), minutesPerDay) / minutesPerDay) * 100
  return { entry, top: percent(start), height: percent(end) - percent(start) }
}

const endOf = ({ top, height }: Span) => top + Math.max(height, minHeightPercent)

/** Spans in groups that overlap one another, directly or through others. */
function groupsOf(spans: readonly Span[]): Span[][] {
  const groups: Span[][] = []
  let end = -Infinity
  for (const span of [...spans].sort((a, b) => a.top - b.top || b.height - a.height)) {
    if (span.top < end) groups.at(-1)?.push(span)
    else groups.push([span])
    end = Math.max(end, endOf(span))
  }
  return groups
}

/** The spans of a group in as few lanes as possible, in each of which none overlap. */
function lanesOf(group: readonly Span[]): Span[][] {
  const lanes: Span[][] = []
  for (const span of group) {
    const lane = lanes.find((spans) => spans.every((other) => endOf(other) <= span.top))
    if (lane) lane.push(span)
    else lanes.push([span])
  }
  return lanes
}

/**
 * Positions overlapping entries side by side, in lanes of equal width (guide §6); by start, as they
 * are read and printed.
 */
export function layoutDay(spans: readonly Span[]): PositionedSpan[] {
  return groupsOf(spans).flatMap((group) => {
    const lanes = lanesOf(group)
    const shown = lanes.length > maxLanes ? lanes.slice(0, maxLanes - 1) : lanes
    const hidden = lanes.slice(shown.length).flat()
    const width = 100 / Math.min(lanes.length, maxLanes)
    const positioned: PositionedSpan[] = shown.flatMap((lane, index) =>
      lane.map((span) => ({ ...span, left: index * width, width })),
    )
    const [first] = hidden
    if (first) {
      const last = { left: 100 - width, width }
      positioned.push({ ...first, ...last, hiddenCount: hidden.length })
      positioned.push(...hidden.map((span) => ({ ...span, ...last, isCounted: true })))
    }
    return positioned.sort((a, b) => a.top - b.top)
  })
}

/** The number of lanes side by side that a day with these entries needs, at least one. */
export function laneCount(entries: readonly CalendarEntry[]): number {
  const spans = entries.map((entry) => spanOf(entry, entry.event.date))
  const counts = groupsOf(spans).map((group) => Math.min(lanesOf(group).length, maxLanes))
  return Math.max(1, ...counts)
}

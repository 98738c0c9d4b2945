import type { CalendarEntry } from './entries'

/** The heights of an hour, a line and the space after it, in pixels (guide §6). */
const hour = 56
const lineHeight = 27
const percentOfDay = (pixels: number) => (pixels / (24 * hour)) * 100
const line = percentOfDay(lineHeight)

/** An entry's part of the day, in percent. */
export interface Span {
  entry: CalendarEntry
  top: number
  height: number
}

/** A span with its place in the day's column, in percent of its width. */
export interface PositionedSpan extends Span {
  left: number
  width: number
  /** How many entries this place stands for, if it is the one of those without a place. */
  hiddenCount?: number
}

const endOf = ({ top, height }: Span) => top + Math.max(height, line)

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

/**
 * Places overlapping entries side by side in up to `limit` columns of equal width; if there are more
 * at once, one below the other as lines.
 */
export function layoutDay(spans: readonly Span[], limit: number): PositionedSpan[] {
  return groupsOf(spans).flatMap((group, at, groups) => {
    const columns: Span[][] = []
    for (const span of group) {
      const column = columns.find((placed) => placed.every((other) => endOf(other) <= span.top))
      if (column) column.push(span)
      else columns.push([span])
    }
    if (columns.length > limit) return stacked(group, groups[at + 1]?.[0]?.top ?? 100)
    const width = 100 / columns.length
    return columns.flatMap((column, at) =>
      column.map((span) => ({ ...span, left: at * width, width })),
    )
  })
}

/** Lines at the times of the spans or below the one before; what goes beyond `end` is counted. */
function stacked(group: readonly Span[], end: number): PositionedSpan[] {
  let next = -Infinity
  const lines = group.map((span) => {
    const top = Math.max(span.top, next)
    next = top + line
    return { ...span, top, height: line, left: 0, width: 100 }
  })
  const fitting = lines.filter(({ top }) => top + line <= end + 0.01)
  if (fitting.length === lines.length) return lines
  const shown = fitting.slice(0, -1)
  const [first] = lines.slice(shown.length)
  return first ? [...shown, { ...first, hiddenCount: lines.length - shown.length }] : shown
}

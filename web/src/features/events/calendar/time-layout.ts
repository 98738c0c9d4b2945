import type { CalendarEntry } from './entries'

/** The number of columns, by view, that are wide enough to be read. */
export const columnLimits = { week: 2, day: 6 } as const

/** The least height of an event in percent of a day: 26 of 24 times 56 pixels. */
const leastHeight = (26 / (24 * 56)) * 100

/** An entry's part of the day, in percent. */
export interface Span {
  entry: CalendarEntry
  top: number
  height: number
}

/** A span with its column, in percent of the day's width. */
export interface Placed extends Span {
  left: number
  width: number
  /** How many entries this place stands for, if it is the one of those without a column. */
  others?: number
}

const endOf = ({ top, height }: Span) => top + Math.max(height, leastHeight)

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
 * Places overlapping entries side by side in columns of equal width. With more at once than `limit`,
 * the last column counts those that have none.
 */
export function layoutDay(spans: readonly Span[], limit: number): Placed[] {
  return groupsOf(spans).flatMap((group) => {
    const columns: Span[][] = []
    for (const span of group) {
      const column = columns.find((placed) => placed.every((other) => endOf(other) <= span.top))
      if (column) column.push(span)
      else columns.push([span])
    }
    const width = 100 / Math.min(columns.length, limit)
    const shown = columns.length > limit ? columns.slice(0, limit - 1) : columns
    const others = groupsOf(columns.slice(shown.length).flat())
    return [
      ...shown.flatMap((column, at) =>
        column.map((span) => ({ ...span, left: at * width, width })),
      ),
      ...others.flatMap(([first, ...rest]): Placed[] => {
        if (!first) return []
        const place = { ...first, left: shown.length * width, width }
        if (rest.length === 0) return [place]
        const end = Math.max(...[first, ...rest].map((span) => span.top + span.height))
        return [{ ...place, height: end - first.top, others: rest.length + 1 }]
      }),
    ]
  })
}

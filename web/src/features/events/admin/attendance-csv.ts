import { csvCell } from '../../../lib/csv'
import type { ListedEvent } from './event-filter'
import { statusLabels } from './status-labels'

const head = ['Title', 'Date', 'Time', 'Time zone', 'Venue', 'City', 'State', 'Status', 'Attending']

/** The counts of these events as CSV (RFC 4180), which spreadsheets open as UTF-8. */
export function attendanceCsv(
  listed: readonly ListedEvent[],
  attendance: ReadonlyMap<number, number>,
): string {
  const rows = listed.map(({ event, status }) => {
    const { venueName = '', city = '', state = '' } = event.location ?? {}
    return [
      event.title,
      event.date,
      event.time,
      event.timezone,
      venueName,
      city,
      state,
      statusLabels[status],
      String(attendance.get(event.id) ?? 0),
    ]
  })
  const lines = [head, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`)
  return `\uFEFF${lines.join('')}`
}

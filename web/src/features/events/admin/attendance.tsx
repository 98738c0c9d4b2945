import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readJson } from '../../../api/client'
import type { AttendanceCount } from '../../../api/types'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Button } from '../../../components/ui/button'
import { download } from '../../../lib/download'
import { eventsKey } from '../api'
import { isInPerson } from '../event-presentation'
import { attendanceCsv } from './attendance-csv'
import type { ListedEvent } from './event-filter'

/** How many plan to attend, by event. */
export type Attendance = ReadonlyMap<number, number>

/** The counts of all events; events without a count have none. */
export const attendanceQuery = () =>
  queryOptions({
    queryKey: [...eventsKey, 'attendance'],
    queryFn: ({ signal }) => readJson<AttendanceCount[]>('/api/attendance', { signal }),
    staleTime: 0,
  })

/** How many plan to attend each event; undefined while it loads or if that failed. */
export function useAttendance(): Attendance | undefined {
  const { data } = useQuery(attendanceQuery())
  return useMemo(() => data && new Map(data.map(({ eventId, count }) => [eventId, count])), [data])
}

/** `12 investors attending` (spec §4). */
export function attendingLabel(count: number): string {
  return `${count} ${count === 1 ? 'investor attending' : 'investors attending'}`
}

interface ExportAttendanceProps {
  matches: readonly ListedEvent[]
  attendance: Attendance | undefined
}

/** Downloads the counts of the in-person events that the filter shows. */
export function ExportAttendance({ matches, attendance }: ExportAttendanceProps) {
  const inPerson = matches.filter(({ event }) => isInPerson(event.type))
  if (!attendance || inPerson.length === 0) return null
  return (
    <Button
      variant="ghost"
      size="small"
      onClick={() => {
        const csv = attendanceCsv(inPerson, attendance)
        download('attendance.csv', new Blob([csv], { type: 'text/csv;charset=utf-8' }))
      }}
    >
      <AdminIcon name="download" /> Attendance (CSV)
    </Button>
  )
}

import { queryOptions, useQuery } from '@tanstack/react-query'
import { readJson } from '../../../api/client'
import type { AttendanceDay } from '../../../api/types'
import { Alert } from '../../../components/ui/alert'
import { FormGroup } from '../../../components/ui/form-panel'
import { eventsKey } from '../api'
import styles from './attendance.module.css'
import { attendingLabel, shortDateLabel } from './event-card'

const daysQuery = (id: number) =>
  queryOptions({
    queryKey: [...eventsKey, 'attendance', id],
    queryFn: ({ signal }) => readJson<AttendanceDay[]>(`/api/events/${id}/attendance`, { signal }),
    staleTime: 0,
  })

const width = 480
const height = 96
const day = 24 * 60 * 60 * 1000

/** How many plan to attend an event, and how that changed from day to day. */
export function AttendanceHistory({ id }: { id: number }) {
  const { data, isError, refetch } = useQuery(daysQuery(id))
  if (isError) {
    return (
      <FormGroup title="Attendance">
        <Alert title="Unable to load the attendance" onRetry={() => void refetch()} />
      </FormGroup>
    )
  }
  if (!data) return null
  return (
    <FormGroup title="Attendance" help="How many planned to attend at the end of each day (UTC).">
      <p className={styles.count}>{attendingLabel(data.at(-1)?.count ?? 0)}</p>
      {data.length > 0 && <Chart days={data} />}
    </FormGroup>
  )
}

/** The counts as steps, because they are the same until the next change; and as a table. */
function Chart({ days }: { days: readonly AttendanceDay[] }) {
  const times = days.map((one) => Date.parse(one.day))
  const first = times[0] ?? 0
  // A single day is as wide as the chart.
  const span = Math.max((times.at(-1) ?? first) + day - first, day)
  const top = Math.max(1, ...days.map(({ count }) => count))
  const x = (time: number) => ((time - first) / span) * width
  const y = (count: number) => height - (count / top) * height
  const steps = days.map(({ count }, at) => {
    const end = times[at + 1] ?? first + span
    return `L${x(times[at] ?? first)} ${y(count)}H${x(end)}`
  })

  return (
    <figure className={styles.root}>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <path className={styles.area} d={`M0 ${height}${steps.join('')}V${height}Z`} />
      </svg>
      <div className={styles.ends} aria-hidden="true">
        <span>{shortDateLabel(days[0]?.day ?? '')}</span>
        <span>Most: {top}</span>
        <span>{shortDateLabel(days.at(-1)?.day ?? '')}</span>
      </div>
      <table className="visually-hidden">
        <caption>Attendance by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Attending</th>
          </tr>
        </thead>
        <tbody>
          {days.map((one) => (
            <tr key={one.day}>
              <th scope="row">{shortDateLabel(one.day)}</th>
              <td>{one.count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

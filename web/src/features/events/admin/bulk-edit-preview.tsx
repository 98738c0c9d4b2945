import type { CalendarEvent, PlannedEdit } from '../../../api/types'
import { classNames } from '../../../lib/class-names'
import { Changes } from './activity'
import styles from './bulk-edit-dialog.module.css'
import { shortDateLabel } from './event-card'

interface BulkEditPreviewProps {
  /** The events as they are. */
  events: readonly CalendarEvent[]
  planned: readonly PlannedEdit[]
  /** Ids of the events that are left out. */
  leftOut: ReadonlySet<number>
  onLeaveOut: (ids: readonly number[], isOut: boolean) => void
}

/** What a change does to each event, with a checkbox to leave it out. */
export function BulkEditPreview({ events, planned, leftOut, onLeaveOut }: BulkEditPreviewProps) {
  const zoneOf = (id: number) => events.find((event) => event.id === id)?.timezone
  return (
    <>
      <p className={styles.intro}>
        Nothing is saved yet. Clear the checkbox of an event to leave it out.
      </p>
      <ul className={styles.events}>
        {planned.map((event) => {
          const isOut = leftOut.has(event.id)
          return (
            <li key={event.id} className={styles.event}>
              <input
                type="checkbox"
                id={`change-${event.id}`}
                className={styles.box}
                checked={!isOut}
                onChange={({ target }) => {
                  onLeaveOut([event.id], !target.checked)
                }}
              />
              <label
                className={classNames(styles.name, isOut && styles.out)}
                htmlFor={`change-${event.id}`}
              >
                {event.title}{' '}
                <span className={styles.date}>
                  {event.date === '' ? 'No date yet' : shortDateLabel(event.date)}
                </span>
              </label>
              <div className={styles.details}>
                {isOut ? 'Left out' : <Details event={event} zone={zoneOf(event.id)} />}
              </div>
            </li>
          )
        })}
      </ul>
    </>
  )
}

function Details({ event, zone }: { event: PlannedEdit; zone: string | undefined }) {
  if (event.changes.length === 0) return <>Stays as it is</>
  return (
    <>
      {event.errors.map((error) => (
        <p key={error} className={styles.error}>
          {error}
        </p>
      ))}
      <Changes
        changes={event.changes}
        {...(zone !== undefined && { clock: { date: event.date, timezone: zone } })}
      />
    </>
  )
}

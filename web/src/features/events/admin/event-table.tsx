import type { RefObject } from 'react'
import { classNames } from '../../../lib/class-names'
import { isInPerson } from '../event-presentation'
import type { AttendanceCounts } from './api'
import { EditButton, EventIconButton } from './event-buttons'
import { shortDateLabel, type EventActions, timeOf } from './event-card'
import type { ListedEvent } from './event-filter'
import styles from './event-table.module.css'
import { PublicLinks } from './public-links'
import { PreviewLinkButton } from './preview-link-button'
import { EventCheckbox } from './selection'
import { isPublic, statusLabels } from './status-labels'

interface EventTableProps extends EventActions {
  ref: RefObject<HTMLElement | null>
  rows: readonly ListedEvent[]
  attendance: AttendanceCounts | undefined
  /** The public URL of the site. */
  siteUrl: string
}

/** The events as rows, for an overview of many; on phones each row is a card. */
export function EventTable({ ref, rows, attendance, siteUrl, ...actions }: EventTableProps) {
  return (
    <div className={styles.root} ref={ref as RefObject<HTMLDivElement>}>
      <table className={styles.table} aria-label="Events">
        <thead className={styles.head}>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Select</span>
            </th>
            {['Date', 'Event', 'Type', 'Speakers', 'Status', 'Actions'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((listed) => (
            <EventRow
              key={listed.event.id}
              listed={listed}
              attending={attendance?.get(listed.event.id) ?? 0}
              siteUrl={siteUrl}
              {...actions}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface EventRowProps extends EventActions {
  listed: ListedEvent
  attending: number
  siteUrl: string
}

function EventRow(props: EventRowProps) {
  const { listed, attending, siteUrl, onEdit, onDuplicate, onDelete } = props
  const { event, status, isPast } = listed
  const speakers = event.speakers.map(({ speaker }) => speaker.name).join(', ')
  return (
    <tr className={classNames(isPast && styles.past)}>
      <td className={styles.select}>
        <EventCheckbox event={event} />
      </td>
      <td className={styles.when}>
        {event.date === '' ? (
          'No date yet'
        ) : (
          <time dateTime={event.date}>{shortDateLabel(event.date)}</time>
        )}
        <span className={styles.time}>{timeOf(event)}</span>
      </td>
      <th className={styles.event} scope="row">
        <span className={styles.title} tabIndex={-1} data-event={event.id}>
          {event.title}
        </span>
        {event.location && (
          <span className={styles.minor}>
            {[event.location.venueName, event.location.city].filter(Boolean).join(', ')}
          </span>
        )}
      </th>
      <td className={styles.type}>
        {event.type}
        {isInPerson(event.type) && <span className={styles.minor}>{attending} attending</span>}
      </td>
      <td className={styles.speakers}>{speakers}</td>
      <td className={styles.status}>
        {statusLabels[status]}
        {isPast && <span className={styles.minor}>Past</span>}
      </td>
      <td className={styles.actions}>
        <span className={styles.buttons}>
          <EditButton event={event} onClick={onEdit} />
          {isPublic(status) ? (
            <PublicLinks event={event} siteUrl={siteUrl} />
          ) : (
            <PreviewLinkButton event={event} siteUrl={siteUrl} className={styles.icon} />
          )}
          <EventIconButton
            action="Duplicate"
            event={event}
            className={styles.icon}
            onClick={onDuplicate}
          />
          <EventIconButton
            action="Delete"
            event={event}
            className={styles.icon}
            onClick={onDelete}
          />
        </span>
      </td>
    </tr>
  )
}

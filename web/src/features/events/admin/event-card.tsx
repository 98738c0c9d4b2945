import { useId } from 'react'
import { Button } from '../../../components/ui/button'
import { ToolIcon } from '../../../components/ui/tool-icon'
import { classNames } from '../../../lib/class-names'
import { typeSlug } from '../event-presentation'
import { timeLabel } from '../event-time'
import { TypeFlag } from '../type-flag'
import styles from './event-card.module.css'
import type { ListedEvent } from './event-filter'

/** The actions of an event's card. */
export interface EventActions {
  onEdit: (id: number) => void
  onDuplicate: (id: number) => void
  onDelete: (id: number) => void
}

/** `Mar 10, 2026` for 2026-03-10 (spec §2: MMM d, yyyy). */
const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** An event in the portal's list (spec §2, Events tab; guide §6, Admin event card). */
export function EventCard({
  listed: { event, isHidden, isPast },
  onEdit,
  onDuplicate,
  onDelete,
}: { listed: ListedEvent } & EventActions) {
  const headingId = useId()
  const day = Date.parse(`${event.date}T12:00:00Z`)
  const start = Date.parse(event.startsAt)

  return (
    <article
      className={classNames(styles.root, isPast && styles.past)}
      data-type={typeSlug(event.type)}
      aria-labelledby={headingId}
    >
      <div className={styles.top}>
        <div className={styles.plate} aria-hidden="true">
          <b className={styles.day}>{Number(event.date.slice(8))}</b>
          <span className={styles.month}>{Number.isNaN(day) ? '' : monthFormat.format(day)}</span>
        </div>
        <p className={styles.when}>
          <time dateTime={event.date}>
            {Number.isNaN(day) ? event.date : dateFormat.format(day)}
          </time>
          {isPast && <span className={styles.over}> · Past</span>}
          <br />
          {Number.isNaN(start) ? event.time : timeLabel(start, event.timezone)}, {event.duration}
        </p>
        <Button
          variant="quiet"
          size="dense"
          className={styles.icon}
          aria-label={`Duplicate ${event.title}`}
          title="Duplicate"
          onClick={() => {
            onDuplicate(event.id)
          }}
        >
          <ToolIcon name="copy" />
        </Button>
      </div>
      <div className={styles.body}>
        {(isHidden || event.brandliveId !== null) && (
          <p className={styles.marks}>
            {isHidden ? (
              <span className={styles.hidden}>
                Hidden: cancelled or no longer listed by Brandlive
              </span>
            ) : (
              <span className={styles.imported}>Brandlive</span>
            )}
          </p>
        )}
        <h2 className={styles.title} id={headingId} tabIndex={-1} data-event={event.id}>
          {event.title}
        </h2>
        <p className={styles.summary}>{event.summary ?? event.description}</p>
      </div>
      <div className={styles.foot}>
        <span className={styles.flag}>
          <TypeFlag type={event.type} />
        </span>
        <Button
          variant="quiet"
          size="dense"
          data-opens={event.id}
          aria-label={`Edit ${event.title}`}
          onClick={() => {
            onEdit(event.id)
          }}
        >
          <ToolIcon name="edit" /> Edit
        </Button>
        <Button
          variant="quiet"
          size="dense"
          className={styles.icon}
          aria-label={`Delete ${event.title}`}
          title="Delete"
          onClick={() => {
            onDelete(event.id)
          }}
        >
          <ToolIcon name="delete" />
        </Button>
      </div>
    </article>
  )
}

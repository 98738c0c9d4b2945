import { useId } from 'react'
import type { CalendarEvent, EventStatus } from '../../../api/types'
import { classNames } from '../../../lib/class-names'
import { isInPerson, typeSlug } from '../event-presentation'
import { dayAt, timeLabel } from '../event-time'
import { EventTypeBadge } from '../event-badges'
import { EditButton, EventIconButton } from './event-buttons'
import { clockLabel } from './clock-label'
import styles from './event-card.module.css'
import type { ListedEvent } from './event-filter'
import { PreviewLinkButton } from './preview-link-button'
import { PublicLinks } from './public-links'
import { EventCheckbox } from './selection'
import { isPublic, statusLabels } from './status-labels'

/** The actions of an event's card. */
export interface EventActions {
  onEdit: (id: number) => void
  onDuplicate: (id: number) => void
  onDelete: (id: number) => void
}

/** `Mar 10, 2026` for 2026-03-10 (spec §2: MMM d, yyyy). */
const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** `Mar 10, 2026`; a date that can't be parsed as it is. */
export function shortDateLabel(date: string): string {
  const day = Date.parse(`${date}T12:00:00Z`)
  return Number.isNaN(day) ? date : dateFormat.format(day)
}

/** `8:00 PM ET`, also of a draft without a date. */
export function timeOf(event: CalendarEvent): string {
  const start = Date.parse(event.startsAt)
  return Number.isNaN(start) ? clockLabel(event) : timeLabel(start, event.timezone)
}

/** `12 investors attending` (spec §4). */
export function attendingLabel(count: number): string {
  return `${count} ${count === 1 ? 'investor attending' : 'investors attending'}`
}

/** The day and the month in the event type's color; decorative, as the date is beside it. */
export function DateBlock({ date, className }: { date: string; className?: string | undefined }) {
  const day = Date.parse(`${date}T12:00:00Z`)
  return (
    <div className={classNames(styles.dateBlock, className)} aria-hidden="true">
      <b className={styles.day}>{Number.isNaN(day) ? '?' : Number(date.slice(8))}</b>
      <span className={styles.month}>{Number.isNaN(day) ? '' : monthFormat.format(day)}</span>
    </div>
  )
}

interface EventCardProps extends EventActions {
  listed: ListedEvent
  /** How many plan to attend; undefined while it loads. */
  attending: number | undefined
  /** The public URL of the site. */
  siteUrl: string
}

/** `Scheduled: visible from Mar 10, 2026, 9:00 AM ET`, and the labels of other statuses. */
function statusText(status: EventStatus, { publishAt, timezone }: CalendarEvent): string {
  if (status !== 'scheduled' || publishAt === undefined) return statusLabels[status]
  const at = Date.parse(publishAt)
  return `${statusLabels[status]}: visible from ${shortDateLabel(dayAt(at, timezone))}, ${timeLabel(at, timezone)}`
}

/** An event in the portal's list (spec §2, Events tab; guide §6, Admin event card). */
export function EventCard({
  listed: { event, status, isPast },
  attending,
  siteUrl,
  onEdit,
  onDuplicate,
  onDelete,
}: EventCardProps) {
  const headingId = useId()
  const hasBadge = status !== 'published'

  return (
    <article
      className={classNames(styles.root, isPast && styles.past)}
      data-type={typeSlug(event.type)}
      aria-labelledby={headingId}
    >
      <div className={styles.top}>
        <DateBlock date={event.date} />
        <p className={styles.when}>
          {event.date === '' ? (
            'No date yet'
          ) : (
            <time dateTime={event.date}>{shortDateLabel(event.date)}</time>
          )}
          {isPast && <span className={styles.over}> · Past</span>}
          <br />
          {[timeOf(event), event.duration].filter(Boolean).join(', ')}
        </p>
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
      </div>
      <div className={styles.body}>
        {(hasBadge || event.brandliveId !== null) && (
          <p className={styles.badges}>
            {hasBadge && (
              <span className={classNames(styles.badge, styles[status])}>
                {statusText(status, event)}
              </span>
            )}
            {event.brandliveId !== null && <span className={styles.badge}>Brandlive</span>}
          </p>
        )}
        <h2 className={styles.title} id={headingId} tabIndex={-1} data-event={event.id}>
          {event.title}
        </h2>
        <p className={styles.summary}>{event.summary ?? event.description}</p>
        {isInPerson(event.type) && attending !== undefined && (
          <p className={styles.attending}>{attendingLabel(attending)}</p>
        )}
      </div>
      <div className={styles.footer}>
        <EventCheckbox event={event} />
        <span className={styles.type}>
          <EventTypeBadge type={event.type} />
        </span>
        <span className={styles.actions}>
          <EditButton event={event} onClick={onEdit} />
          <EventIconButton
            action="Delete"
            event={event}
            className={styles.icon}
            onClick={onDelete}
          />
        </span>
      </div>
    </article>
  )
}

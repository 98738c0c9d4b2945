import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ActivityEntry, EventStatus } from '../../../api/types'
import { Alert } from '../../../components/ui/alert'
import styles from './activity.module.css'
import type { EventClock } from '../event-time'
import { activityQuery } from './api'
import { clockLabel } from './clock-label'
import { fieldLabels, isFormField } from './form-values'
import { isStatus, statusLabels } from './status-labels'

/** An instant (RFC 3339) as date and time in the browser's locale. */
export function dateTimeLabel(at: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(
    Date.parse(at),
  )
}

/** The abbreviation of the browser's time zone at an instant. */
function zoneLabel(at: string): string {
  const parts = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' }).formatToParts(
    Date.parse(at),
  )
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** What a change of the status is called. */
const statusActions: Readonly<Record<EventStatus, string>> = {
  draft: 'made it a draft',
  scheduled: 'scheduled it',
  published: 'published it',
  hidden: 'hid it',
  cancelled: 'cancelled it',
  postponed: 'postponed it',
}

/** `changed it`; a change of the status by its name. */
function actionOf({ action, changes }: ActivityEntry): string {
  const status = changes.find(({ field }) => field === 'status')?.after ?? ''
  return action === 'changed' && isStatus(status) ? statusActions[status] : actions[action]
}

const actions: Readonly<Record<ActivityEntry['action'], string>> = {
  created: 'created it',
  changed: 'changed it',
  deleted: 'deleted it',
  restored: 'restored it',
}

/** An event's activity log; collapsed, and loaded when it is opened. */
export function Activity({ id }: { id: number }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={styles.root}
      onToggle={(event) => {
        setIsOpen(event.currentTarget.open)
      }}
    >
      <summary className={styles.summary}>Activity</summary>
      {isOpen && <Entries id={id} />}
    </details>
  )
}

function Entries({ id }: { id: number }) {
  const { data, isError, refetch } = useQuery(activityQuery(id))
  if (isError) return <Alert title="Unable to load the activity" onRetry={() => void refetch()} />
  if (!data) return <p className={styles.none}>Loading activity...</p>
  if (data.length === 0) return <p className={styles.none}>No activity has been logged yet.</p>
  return (
    <ol className={styles.entries}>
      {data.map((entry) => (
        <li key={entry.id}>
          <p className={styles.description}>
            <b>{entry.who}</b> {actionOf(entry)},{' '}
            <time dateTime={entry.at}>{dateTimeLabel(entry.at)}</time>
          </p>
          {entry.action === 'changed' && entry.changes.length > 0 && (
            <Changes changes={entry.changes} />
          )}
        </li>
      ))}
    </ol>
  )
}

interface ChangesProps extends Pick<ActivityEntry, 'changes'> {
  /** The event's day and zone, in which times are shown. */
  clock?: Omit<EventClock, 'time'>
}

/** Fields before and after a change. */
export function Changes({ changes, clock }: ChangesProps) {
  return (
    <dl className={styles.changes}>
      {changes.map(({ field, before, after }) => (
        <div key={field} className={styles.change}>
          <dt>{labelOf(field)}</dt>
          <dd>
            <del className={styles.before}>
              <span className="visually-hidden">Before: </span>
              {textOf(field, before, clock)}
            </del>
            <ins className={styles.after}>
              <span className="visually-hidden">After: </span>
              {textOf(field, after, clock)}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function textOf(field: string, value: string | null, clock: ChangesProps['clock']): string {
  if (value === null) return 'nothing'
  if (field === 'time' && clock) return clockLabel({ ...clock, time: value })
  if (field === 'publishAt') return `${dateTimeLabel(value)} ${zoneLabel(value)}`
  return field === 'status' && isStatus(value) ? statusLabels[value] : value
}

/** Logged fields that the form lacks or has under another name. */
const otherLabels: Readonly<Record<string, string>> = {
  speakers: fieldLabels.speakerIds,
  hidden: 'Hidden from visitors',
  brandliveId: 'Brandlive id',
}

/** The form's label of a field. */
function labelOf(field: string): string {
  return isFormField(field) ? fieldLabels[field] : (otherLabels[field] ?? field)
}

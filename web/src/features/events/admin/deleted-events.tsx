import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { DeletedEvent } from '../../../api/types'
import { SiteLink } from '../../../components/links'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Alert } from '../../../components/ui/alert'
import { Button, buttonClass } from '../../../components/ui/button'
import { EmptyState } from '../../../components/ui/empty-state'
import { Skeleton, Spinner } from '../../../components/ui/loading'
import { TabHeader } from '../../../components/ui/tabs'
import { typeSlug } from '../event-presentation'
import { dateTimeLabel } from './activity'
import { deletedEventsQuery } from './api'
import styles from './deleted-events.module.css'
import { DatePlate, dayLabel, timeOf } from './event-card'
import { useRestoreEvent } from './use-delete-event'

/** The parameter of the URL, and its value that shows the deleted events in the Events tab. */
const [parameter, deleted] = ['view', 'deleted'] as const

/**
 * Whether the URL shows the deleted events. When that changes, the focus goes to the heading, or
 * back to the link that was followed.
 */
export function useDeletedEventsView(): boolean {
  const [search] = useSearchParams()
  const isShown = isDeletedEventsView(search)
  const wasShown = useRef(isShown)

  useEffect(() => {
    if (wasShown.current === isShown) return
    wasShown.current = isShown
    const link = document.querySelector<HTMLElement>(`[data-opens="${deleted}"]`)
    const target = link ?? document.querySelector<HTMLElement>('main h1')
    target?.focus()
  }, [isShown])

  return isShown
}

/** Whether a query string shows the deleted events. */
export function isDeletedEventsView(search: URLSearchParams): boolean {
  return search.get(parameter) === deleted
}

/** The link from the list of events, whose filter stays in the URL. */
export function DeletedEventsLink() {
  const [search] = useSearchParams()
  const parameters = new URLSearchParams(search)
  parameters.set(parameter, deleted)
  return (
    <SiteLink className={styles.link} data-opens={deleted} to={`?${parameters.toString()}`}>
      <AdminIcon name="delete" /> Recently deleted
    </SiteLink>
  )
}

/** The events that were deleted in the last 30 days, each with a button that restores it. */
export function DeletedEvents() {
  const [search] = useSearchParams()
  const { data, isError, isFetching, refetch } = useQuery(deletedEventsQuery())
  const parameters = new URLSearchParams(search)
  parameters.delete(parameter)

  return (
    <>
      <TabHeader title="Recently Deleted">
        <SiteLink className={buttonClass({ size: 'small' })} to={`?${parameters.toString()}`}>
          All Events
        </SiteLink>
      </TabHeader>
      {data ? (
        <List events={data} />
      ) : isError && !isFetching ? (
        <Alert title="Unable to load deleted events" onRetry={() => void refetch()} />
      ) : (
        <div className={styles.list} aria-busy="true">
          <p className="visually-hidden" role="status">
            Loading deleted events...
          </p>
          {[0, 1, 2].map((index) => (
            <Skeleton key={index} className={styles.loading} />
          ))}
        </div>
      )}
    </>
  )
}

function List({ events }: { events: readonly DeletedEvent[] }) {
  if (events.length === 0) {
    return (
      <EmptyState title="No events were deleted in the last 30 days.">
        <p>An event that you delete can be restored here for 30 days.</p>
      </EmptyState>
    )
  }
  return (
    <>
      <p className={styles.help}>
        Deleted events can be restored for 30 days, with their venue, speakers and attendance. Links
        to them say that they were deleted.
      </p>
      <ul className={styles.list}>
        {events.map((entry) => (
          <Row key={entry.event.id} entry={entry} />
        ))}
      </ul>
    </>
  )
}

function Row({ entry: { event, deletedAt, deletedBy, purgedAt } }: { entry: DeletedEvent }) {
  const row = useRef<HTMLLIElement>(null)
  const { mutate: restore, isPending } = useRestoreEvent(() => {
    // The row disappears with the focus.
    if (!row.current?.contains(document.activeElement)) return
    const { nextElementSibling, previousElementSibling } = row.current
    const next = (nextElementSibling ?? previousElementSibling)?.querySelector('button')
    const target = next ?? document.querySelector<HTMLElement>('main h1')
    target?.focus()
  })

  return (
    <li ref={row} className={styles.row} data-type={typeSlug(event.type)}>
      <DatePlate date={event.date} className={styles.plate} />
      <div className={styles.description}>
        <h2 className={styles.title}>{event.title}</h2>
        <p className={styles.facts}>
          <time dateTime={event.date}>{dayLabel(event.date)}</time>, {timeOf(event)} · {event.type}
        </p>
      </div>
      <p className={styles.facts}>
        Deleted{deletedBy !== null && ` by ${deletedBy}`},{' '}
        <time dateTime={deletedAt}>{dateTimeLabel(deletedAt)}</time>
        <br />
        Deleted for good on{' '}
        <time dateTime={purgedAt}>{purgeFormat.format(Date.parse(purgedAt))}</time>
      </p>
      <Button
        size="small"
        className={styles.restore}
        aria-label={isPending ? `Restoring ${event.title}...` : `Restore ${event.title}`}
        aria-disabled={isPending}
        onClick={() => {
          if (!isPending) restore(event)
        }}
      >
        {isPending ? <Spinner /> : <AdminIcon name="history" />}
        {isPending ? 'Restoring...' : 'Restore'}
      </Button>
    </li>
  )
}

const purgeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
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
import { DateBlock, shortDateLabel, timeOf } from './event-card'
import { useViewQueryString } from './tab-view'
import { useRestoreEvent } from './use-delete-event'

/** The link from the list of events, whose filter stays in the URL. */
export function DeletedEventsLink() {
  return (
    <SiteLink className={styles.link} data-opens="deleted" to={useViewQueryString('deleted')}>
      <AdminIcon name="delete" /> Recently deleted
    </SiteLink>
  )
}

/** The events that were deleted in the last 30 days, each with a button that restores it. */
export function DeletedEvents() {
  const list = useViewQueryString(null)
  const { data, isError, isFetching, refetch } = useQuery(deletedEventsQuery())

  return (
    <>
      <TabHeader title="Recently Deleted">
        <SiteLink className={buttonClass({ size: 'small' })} to={list}>
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
      <DateBlock date={event.date} className={styles.dateBlock} />
      <div className={styles.description}>
        <h2 className={styles.title}>{event.title}</h2>
        <p className={styles.facts}>
          <time dateTime={event.date}>{shortDateLabel(event.date)}</time>, {timeOf(event)} ·{' '}
          {event.type}
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

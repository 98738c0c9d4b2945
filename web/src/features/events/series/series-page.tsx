import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { CalendarEvent, EventSeries } from '../../../api/types'
import { FitText } from '../../../components/fit-text'
import { SiteLink } from '../../../components/links'
import { classNames } from '../../../lib/class-names'
import { useMinute } from '../../../lib/hydration'
import { eventsQuery, pageSeriesQuery } from '../api'
import { EventTypeIcon, StatusBadge } from '../event-badges'
import { detailsOf, eventState, typeSlug } from '../event-presentation'
import { startOf, whenLabel } from '../event-time'
import styles from './series-page.module.css'

/** A series by the last part of its path; `isMissing` once it is certain that it does not exist. */
export function useSeries(slug: string) {
  const path = `/series/${slug}`
  const { data: pageSeries } = useQuery(pageSeriesQuery())
  const initial = pageSeries?.path === path ? pageSeries : undefined
  const list = useQuery({ ...eventsQuery({ series: slug }), enabled: !initial })
  const events = list.data?.filter(({ seriesPosition }) => seriesPosition?.path === path)
  const fetched: EventSeries | undefined = events?.[0] && {
    name: events[0].series ?? '',
    path,
    events,
  }

  return {
    series: fetched ?? initial,
    isMissing: !initial && !fetched && !list.isFetching && !list.isPending,
    isOffline: !initial && list.fetchStatus === 'paused',
    hasFailed: !initial && list.isError && !list.isFetching,
    retry: () => void list.refetch(),
  }
}

interface NumberedEvent {
  event: CalendarEvent
  /** Its position in the series, from 1. */
  number: number
}

/** The upcoming events of a series, then those that are over, each with its position. */
export function SeriesEvents({ events }: { events: readonly CalendarEvent[] }) {
  const now = useMinute()
  const numbered = events.map((event, index) => ({ event, number: index + 1 }))
  const isOver = ({ event }: NumberedEvent) => eventState(event, now) === 'over'
  const [upcoming, past] = [numbered.filter((one) => !isOver(one)), numbered.filter(isOver)]
  return (
    <>
      {upcoming.length > 0 && (
        <EventList title="Upcoming events" events={upcoming} count={events.length} />
      )}
      {past.length > 0 && (
        <EventList title="Past events" events={past} count={events.length} isPast />
      )}
    </>
  )
}

interface EventListProps {
  title: string
  events: readonly NumberedEvent[]
  /** How many events the series has. */
  count: number
  isPast?: boolean
}

function EventList({ title, events, count, isPast = false }: EventListProps) {
  const headingId = useId()
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <h2 className={styles.heading} id={headingId}>
        {title}
      </h2>
      <ol className={styles.list}>
        {events.map(({ event, number }) => (
          <li key={event.id} data-type={typeSlug(event.type)}>
            <SiteLink className={isPast ? styles.past : styles.event} to={event.path}>
              <span className={styles.icon}>
                <EventTypeIcon slug={typeSlug(event.type)} />
              </span>
              <span className={classNames('word-box', styles.text)}>
                <span className={styles.position}>
                  {number} of {count}
                </span>
                <b className={styles.title}>
                  <FitText text={event.title} />
                </b>
                <span className={styles.when}>{whenLabel(startOf(event), event.timezone)}</span>
                <span className={styles.more}>
                  <FitText text={detailsOf(event, isPast)} />
                </span>
                <StatusBadge event={event} />
              </span>
            </SiteLink>
          </li>
        ))}
      </ol>
    </section>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { CalendarEvent } from '../../../api/types'
import { useMinute } from '../../../lib/use-minute'
import { firstViewQuery } from '../api'
import { isInPerson, typeSlug } from '../event-presentation'
import { dateLabel, startOf, timeLabel } from '../event-time'
import { cityLine } from '../public/event-facts'
import styles from './calendar-placeholder.module.css'
import listCard from './list-card.module.css'
import monthList from './month-list.module.css'

/** The place of the calendar until the page is hydrated; a list of events without scripts. */
export function CalendarPlaceholder() {
  return (
    <div className={styles.root}>
      <noscript>
        <UpcomingEvents />
      </noscript>
    </div>
  )
}

function UpcomingEvents() {
  const { data: firstView } = useQuery(firstViewQuery())
  const now = useMinute()
  const upcoming = firstView?.events.filter((event) => startOf(event) >= now) ?? []
  // The next event may be later than the days of the initial data.
  const events = upcoming.length > 0 ? upcoming : firstView?.nextEvent ? [firstView.nextEvent] : []
  if (events.length === 0) return <p>No events are scheduled.</p>

  return (
    <ol>
      {events.map((event) => (
        <li key={event.id} className={monthList.day}>
          <div className={monthList.date}>
            {dateLabel(startOf(event), event.timezone).slice(0, 3)}
            <b className={monthList.number}>{Number(event.date.slice(-2))}</b>
          </div>
          <UpcomingEvent event={event} />
        </li>
      ))}
    </ol>
  )
}

function UpcomingEvent({ event }: { event: CalendarEvent }) {
  const { location, summary } = event
  const start = startOf(event)
  return (
    <div className={listCard.root} data-type={typeSlug(event.type)}>
      <span className={listCard.block} />
      <div className={listCard.body}>
        <p className={listCard.time}>
          <time dateTime={event.startsAt}>
            {dateLabel(start, event.timezone)}, {timeLabel(start, event.timezone)}
          </time>
        </p>
        <h3 className={listCard.title}>
          <a href={event.path}>{event.title}</a>
        </h3>
        <p className={listCard.type}>{event.type}</p>
        {location ? (
          <p>
            {[location.venueName, location.venueAddress, cityLine(location)]
              .filter(Boolean)
              .join(', ')}
          </p>
        ) : (
          !isInPerson(event.type) && (
            <p>
              <a href={event.registrationUrl}>Register Now</a>
            </p>
          )
        )}
        {summary && <p>{summary}</p>}
      </div>
    </div>
  )
}

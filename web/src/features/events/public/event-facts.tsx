import type { ReactNode } from 'react'
import type { CalendarEvent, Venue } from '../../../api/types'
import { FitText } from '../../../components/fit-text'
import { TruncatedText } from '../../../components/ui/tooltip'
import { classNames } from '../../../lib/class-names'
import { useVisitorZone } from '../../../lib/hydration'
import { closedNote, type EventState, isClosed, isInPerson, stateLabels } from '../event-presentation'
import { alternateTimes, dateLabel, visitorTimeLabel, startOf, timeLabel, durationLabel } from '../event-time'
import styles from './event-facts.module.css'

/** The maximum lengths of venue name and address before they are cut (spec §9). */
const venueNameLimit = 30
const addressLimit = 40

/** The time and location fields of an event. */
export type ScheduledEvent = Pick<
  CalendarEvent,
  'type' | 'date' | 'time' | 'duration' | 'timezone' | 'location'
>

/**
 * Date, time and venue. The time is in the event's own zone; events that aren't in person also show
 * it in other zones (spec §2, §3).
 */
export function EventFacts({ event }: { event: ScheduledEvent }) {
  const start = startOf(event)
  const zone = event.timezone
  const visitorZone = useVisitorZone()
  const isOnline = !isInPerson(event.type)
  return (
    <Facts>
      <Fact name="Date">
        <time dateTime={event.date}>{dateLabel(start, zone)}</time>
      </Fact>
      <Fact name="Time">
        <Times
          start={<time dateTime={new Date(start).toISOString()}>{timeLabel(start, zone)}</time>}
          duration={event.duration}
          others={isOnline ? alternateTimes(start, zone) : []}
        />
        {isOnline && (
          <span className={styles.own}>{visitorZone && visitorTimeLabel(start, zone, visitorZone)}</span>
        )}
      </Fact>
      {event.location && (
        <Fact name="Where">
          <ShortVenue location={event.location} />
        </Fact>
      )}
    </Facts>
  )
}

interface TimesProps {
  /** The start, in the event's time zone. */
  start: ReactNode
  duration: string
  /** The start in other time zones, after a thin divider; below if it does not fit beside it. */
  others: readonly string[]
}

/** When an event starts, and how long it lasts. */
export function Times({ start, duration, others }: TimesProps) {
  return (
    <span className={styles.times}>
      <span>
        {start}
        <span className={styles.length}>{durationLabel(duration)}</span>
      </span>
      {others.length > 0 && <span className={styles.others}>{others.join(' / ')}</span>}
    </span>
  )
}

function ShortVenue({ location }: { location: Venue }) {
  const city = cityLine(location)
  return (
    <>
      <FitText text={location.venueName}>
        <TruncatedText text={location.venueName} limit={venueNameLimit} />
      </FitText>
      {(location.venueAddress || city) && (
        <address className={styles.address}>
          {location.venueAddress && (
            <span className={styles.line}>
              <TruncatedText text={location.venueAddress} limit={addressLimit} />
            </span>
          )}
          {city && (
            <span className={styles.line}>
              <FitText text={city} />
            </span>
          )}
        </address>
      )}
    </>
  )
}

/** `city, state`; empty if the address contains the city (spec §2). */
export function cityLine({ venueAddress, city, state }: Venue): string {
  const includesCity = city !== '' && venueAddress.toLowerCase().includes(city.toLowerCase())
  return includesCity ? '' : [city, state].filter(Boolean).join(', ')
}

/** A list of an event's facts: date, time, venue (guide §6). */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classNames('word-box', styles.root)}>{children}</dl>
}

interface FactProps {
  name: string
  children: ReactNode
  className?: string | undefined
}

/** One line of the list. */
export function Fact({ name, children, className }: FactProps) {
  return (
    <div className={classNames(styles.fact, className)}>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  )
}

interface EventStateNoticeProps {
  /** For the controls that it explains. */
  id: string
  event: Pick<CalendarEvent, 'type' | 'status' | 'recordingUrl'>
  state: EventState
}

/** States that visitors do not see an event. */
export function PreviewNotice({ id }: { id: string }) {
  return (
    <p className={styles.status} id={id}>
      This is a preview: visitors do not see this event.
    </p>
  )
}

/** States that an event is in progress, over, cancelled or postponed. */
export function EventStateNotice({ id, event, state }: EventStateNoticeProps) {
  if (isClosed(event)) {
    return (
      <p className={classNames(styles.status, styles.closed)} id={id}>
        {closedNote(event)}
      </p>
    )
  }
  const label = stateLabels[state]
  if (!label) return null
  if (state === 'live') return <p className={classNames(styles.status, styles.live)}>{label}</p>
  return (
    <p className={styles.status} id={id}>
      {/* The registration link of an online event stays after it. */}
      {isInPerson(event.type) || event.recordingUrl
        ? `${label}.`
        : `${label}. The link may lead to a recording.`}
    </p>
  )
}

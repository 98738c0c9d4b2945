import type { CalendarEvent, Venue, SpeakerSummary } from '../../../api/types'
import { FitText } from '../../../components/fit-text'
import { Portrait } from '../../../components/portrait'
import { classNames } from '../../../lib/class-names'
import { useVisitorZone } from '../../../lib/hydration'
import { isInPerson } from '../event-presentation'
import { alternateTimes, startOf, visitorTime, timeLabel, whenLabel } from '../event-time'
import styles from './event-details.module.css'
import { cityLine, Fact, Facts, Times } from './event-facts'
import factStyles from './event-facts.module.css'
import { SeriesFact } from './series-fact'

interface EventDetailsProps {
  event: CalendarEvent
  /**
   * The event page also shows the venue's street, and always the visitor's time: the event's own
   * reserves space for it, invisible, until the visitor's zone is known.
   */
  isPage?: boolean
}

/** The event's time in its own, other and the visitor's time zones, and the venue. */
export function EventDetails({ event, isPage = false }: EventDetailsProps) {
  const start = startOf(event)
  // The preview of a draft.
  const isUndated = Number.isNaN(start)
  const inPerson = isInPerson(event.type)
  const visitorZone = useVisitorZone()
  const otherTime =
    inPerson || isUndated || visitorZone === null ? null : visitorTime(start, event.timezone, visitorZone)
  const shownTime = otherTime ?? (isPage && !inPerson && !isUndated ? timeLabel(start, event.timezone) : null)

  return (
    <Facts>
      <Fact name="When">
        {isUndated ? (
          'To be announced'
        ) : (
          <Times
            start={
              <time dateTime={new Date(start).toISOString()}>
                {whenLabel(start, event.timezone)}
              </time>
            }
            duration={event.duration}
            others={inPerson ? [] : alternateTimes(start, event.timezone)}
          />
        )}
      </Fact>
      {shownTime && (
        <Fact
          name="Your time"
          className={classNames(isPage && styles.own, visitorZone === null && styles.unknown)}
        >
          {shownTime}
        </Fact>
      )}
      {event.location && (
        <Fact name="Where">
          {isPage ? (
            <FullVenue location={event.location} />
          ) : (
            <>
              <FitText text={event.location.venueName} />
              <City location={event.location} />
            </>
          )}
        </Fact>
      )}
      <SeriesFact event={event} />
    </Facts>
  )
}

/** The venue with its full name and address. */
function FullVenue({ location }: { location: Venue }) {
  const lines = [location.venueAddress, cityLine(location)].filter(Boolean)
  return (
    <>
      <FitText text={location.venueName} />
      {lines.length > 0 && (
        <address className={factStyles.address}>
          {lines.map((line) => (
            <span key={line} className={factStyles.line}>
              <FitText text={line} />
            </span>
          ))}
        </address>
      )}
    </>
  )
}

function City({ location: { city, state } }: { location: Venue }) {
  const line = [city, state].filter(Boolean).join(', ')
  return (
    line && (
      <span className={styles.city}>
        <FitText text={line} />
      </span>
    )
  )
}

interface FeaturedSpeakersProps {
  speakers: readonly SpeakerSummary[]
  headingLevel: 2 | 3
}

/** The speakers with their biographies (spec §2, /calendar). */
export function FeaturedSpeakers({ speakers, headingLevel }: FeaturedSpeakersProps) {
  const Heading = headingLevel === 2 ? ('h2' as const) : ('h3' as const)
  return (
    <>
      <Heading className={styles.heading}>Featured Speakers</Heading>
      <ul className={styles.speakers}>
        {speakers.map(({ id, name, title, imageUrl, bio }) => (
          <li key={id} className={styles.speaker}>
            <Portrait className={styles.portrait} name={name} imageUrl={imageUrl} />
            <div className={styles.text}>
              <b className={styles.name}>
                <FitText text={name} />
              </b>
              <span className={styles.role}>
                <FitText text={title} />
              </span>
              {bio && <p className={styles.bio}>{bio}</p>}
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

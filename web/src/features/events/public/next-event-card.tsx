import { type ReactNode, useId } from 'react'
import type { CalendarEvent } from '../../../api/types'
import { buttonClass } from '../../../components/ui/button'
import { classNames } from '../../../lib/class-names'
import { useMinute } from '../../../lib/hydration'
import { bannerOf, eventState, isInPerson, typeSlug } from '../event-presentation'
import { EventTypeBadge } from '../event-type'
import { AddToCalendar } from './add-to-calendar'
import { Directions } from './directions'
import { EventFacts } from './event-facts'
import { EventStatus } from './event-status'
import { LinkedText } from './linked-text'
import styles from './next-event-card.module.css'
import { RegisterLink } from './register-link'
import { CardSpeakers } from './card-speakers'

interface NextEventCardProps {
  event: CalendarEvent
  /** The public URL of the site. */
  baseUrl: string
  /** The map or photo of the venue, shown over the banner of an in-person event. */
  venueImage?: ReactNode
  /** The interest toggle of an in-person event. */
  renderInterest: (isOver: boolean) => ReactNode
}

/** The card of the next event (spec §2, Next Event card). */
export function NextEventCard(props: NextEventCardProps) {
  const { event, baseUrl, venueImage, renderInterest } = props
  const headingId = useId()
  const inPerson = isInPerson(event.type)
  const state = eventState(event, useMinute())
  const speakers = event.speakers.map(({ speaker }) => speaker)

  return (
    <section className={styles.root} data-type={typeSlug(event.type)} aria-labelledby={headingId}>
      <div className={classNames(styles.art, 'on-art', speakers.length === 0 && styles.bare)}>
        <img
          className={styles.banner}
          src={bannerOf(event.type)}
          alt=""
          suppressHydrationWarning
        />
        {inPerson && venueImage}
        {speakers.length > 0 && <CardSpeakers speakers={speakers} />}
      </div>
      <div className={styles.body}>
        <div className={styles.top}>
          <h2 className={styles.heading} id={headingId}>
            Next Event
          </h2>
          <EventTypeBadge type={event.type} />
        </div>
        <h3 className={styles.title}>{event.title}</h3>
        <EventStatus state={state} isOnline={!inPerson} />
        <EventFacts event={event} />
        <p className={styles.description}>
          <LinkedText text={event.description} />
        </p>
        <div className={styles.action}>
          {inPerson ? (
            renderInterest(state === 'over')
          ) : (
            <RegisterLink href={event.registrationUrl} />
          )}
          {state !== 'over' && (
            <AddToCalendar className={buttonClass({})} event={event} baseUrl={baseUrl} />
          )}
        </div>
        {inPerson && event.location && <Directions location={event.location} />}
      </div>
    </section>
  )
}

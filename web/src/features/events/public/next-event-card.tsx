import { type ReactNode, useId } from 'react'
import type { CalendarEvent } from '../../../api/types'
import { NewTabLink } from '../../../components/links'
import { buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { Skeleton } from '../../../components/ui/loading'
import { classNames } from '../../../lib/class-names'
import { useMinute } from '../../../lib/hydration'
import { longWordClass } from '../../../components/fit-text'
import { bannerOf, eventState, isClosed, isInPerson, typeSlug } from '../event-presentation'
import { EventTypeBadge, StatusBadge } from '../event-badges'
import { CardSpeakers } from './card-speakers'
import { Description } from './description'
import { Directions } from './directions'
import { AddToCalendar, canBeAdded, EventLinks } from './event-actions'
import { EventFacts, EventStateNotice } from './event-facts'
import styles from './next-event-card.module.css'
import skeletonStyles from './next-event-skeleton.module.css'
import stayTunedStyles from './stay-tuned.module.css'

interface NextEventCardProps {
  event: CalendarEvent
  /** The public URL of the site. */
  baseUrl: string
  /** The map or photo of the venue, shown over the banner of an in-person event. */
  venueImage?: ReactNode
  /** The interest toggle of an in-person event; `closedBy` is the id of the text that says why it is closed. */
  renderInterest: (closedBy: string | undefined) => ReactNode
}

/** The card of the next event (spec §2, Next Event card). */
export function NextEventCard(props: NextEventCardProps) {
  const { event, baseUrl, venueImage, renderInterest } = props
  const headingId = useId()
  const statusId = `${headingId}status`
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
          <span className={styles.badges}>
            <EventTypeBadge type={event.type} />
            <StatusBadge event={event} />
          </span>
        </div>
        <div className="word-box">
          <h3 className={classNames(styles.title, longWordClass(event.title))}>{event.title}</h3>
        </div>
        <EventStateNotice id={statusId} event={event} state={state} />
        <EventFacts event={event} />
        <Description event={event} className={styles.description} />
        <div className={styles.action}>
          {inPerson && renderInterest(state === 'over' || isClosed(event) ? statusId : undefined)}
          <EventLinks event={event} state={state} />
          {canBeAdded(event, state) && (
            <AddToCalendar className={buttonClass({})} event={event} baseUrl={baseUrl} />
          )}
        </div>
        {inPerson && event.location && <Directions location={event.location} />}
      </div>
    </section>
  )
}

/** Placeholder for the card while the events load. */
export function NextEventSkeleton() {
  return (
    <div className={skeletonStyles.root} aria-busy="true">
      <p className="visually-hidden">Loading events...</p>
      <Skeleton className={skeletonStyles.art} />
      <div className={skeletonStyles.body}>
        <Skeleton className={skeletonStyles.label} />
        <Skeleton className={skeletonStyles.title} />
        <Skeleton className={skeletonStyles.title} />
        <Skeleton className={skeletonStyles.fact} />
        <Skeleton className={skeletonStyles.fact} />
        <Skeleton className={skeletonStyles.text} />
        <Skeleton className={skeletonStyles.action} />
      </div>
    </div>
  )
}

/** Replaces the card while there is no upcoming event (spec §2, Next Event card). */
export function StayTuned({ learnMoreUrl }: { learnMoreUrl: string }) {
  const headingId = useId()
  return (
    <section className={stayTunedStyles.root} aria-labelledby={headingId}>
      <h2 id={headingId}>Stay Tuned for Upcoming Events</h2>
      <div className={stayTunedStyles.body}>
        <p className={stayTunedStyles.text}>
          We’re planning the next series of real estate investment discussions and networking
          events. Check back soon.
        </p>
        <NewTabLink className={buttonClass({ variant: 'primary' }, stayTunedStyles.more)} href={learnMoreUrl}>
          Learn More <Icon name="leave" />
        </NewTabLink>
      </div>
    </section>
  )
}

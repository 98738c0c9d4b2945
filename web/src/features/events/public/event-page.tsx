import { type ReactNode, useId } from 'react'
import type { CalendarEvent } from '../../../api/types'
import { NewTabLink } from '../../../components/links'
import { buttonClass } from '../../../components/ui/button'
import { classNames } from '../../../lib/class-names'
import { useMinute } from '../../../lib/hydration'
import { longWordClass } from '../../../components/fit-text'
import { bannerOf, closedNote, eventState, isClosed, isInPerson, stateLabels, typeSlug } from '../event-presentation'
import { EventTypeBadge, StatusBadge } from '../event-badges'
import { calendarLinks } from './calendar-links'
import { Description } from './description'
import { Directions } from './directions'
import { AddToCalendar, canBeAdded, EventLinks } from './event-actions'
import { EventDetails, FeaturedSpeakers } from './event-details'
import { EventStateNotice, PreviewNotice } from './event-facts'
import styles from './event-page.module.css'
import { ShareButton } from './share-button'

interface EventPageProps {
  event: CalendarEvent
  /** The public URL of the site. */
  baseUrl: string
  /** The map or photo of the venue, shown over the banner of an in-person event. */
  venueImage?: ReactNode
  /** Whether it is the preview of an event that visitors do not see, so that it has no actions. */
  isPreview?: boolean
  /** The link to the event's form, for admins. */
  editLink?: ReactNode
  /** The interest toggle of an in-person event; `closedBy` is the id of the text that says why it is closed. */
  renderInterest: (closedBy: string | undefined) => ReactNode
  /** Why the visitor's last change of their interest was rejected, as the server wrote it. */
  problem?: string | null | undefined
  /** The link back to the calendar. */
  back: ReactNode
}

/** The page of one event. */
export function EventPage(props: EventPageProps) {
  const { event, baseUrl, venueImage, isPreview = false, renderInterest, problem, back } = props
  const headingId = useId()
  const statusId = `${headingId}status`
  const inPerson = isInPerson(event.type)
  const state = eventState(event, useMinute())
  // The preview of a draft may lack the date.
  const isOpen = canBeAdded(event, state) && event.date !== '' && !isPreview
  const canAttend = state !== 'over' && !isClosed(event) && !isPreview
  // The server's reason may be what the page says anyway.
  const note = isClosed(event) ? closedNote(event) : `${stateLabels[state] ?? ''}.`
  const speakers = event.speakers.map(({ speaker }) => speaker)

  return (
    <article data-type={typeSlug(event.type)} aria-labelledby={headingId}>
      <div className={styles.sky}>
        <div className="wrap wrap-flush">
          <div className={styles.art}>
            <img
              className={styles.banner}
              src={bannerOf(event.type)}
              alt=""
              suppressHydrationWarning
            />
            {inPerson && venueImage}
          </div>
        </div>
      </div>
      <div className={classNames('wrap wrap-flush', styles.page)}>
        <div className={styles.sheet}>
          <header className={classNames('word-box', styles.head)}>
            <span className={styles.badge}>
              <EventTypeBadge type={event.type} />
              <StatusBadge event={event} />
            </span>
            <h1
              className={classNames(styles.title, longWordClass(event.title))}
              id={headingId}
              tabIndex={-1}
            >
              {event.title}
            </h1>
          </header>
          <div className={styles.facts}>
            {problem && `${problem}.` !== note && (
              <p className={styles.problem} role="alert">
                {problem}
              </p>
            )}
            {isPreview ? (
              <PreviewNotice id={statusId} />
            ) : (
              <EventStateNotice id={statusId} event={event} state={state} />
            )}
            <EventDetails event={event} isPage />
            <div className={styles.action}>
              {inPerson && renderInterest(canAttend ? undefined : statusId)}
              <EventLinks event={event} state={state} />
            </div>
            <div className={styles.tools}>
              {isOpen && (
                <AddToCalendar
                  className={buttonClass({ size: 'small' })}
                  event={event}
                  baseUrl={baseUrl}
                />
              )}
              <ShareButton event={event} baseUrl={baseUrl} />
              {props.editLink}
            </div>
            {isOpen && (
              <noscript>
                {/* React does not hydrate it, so the browser's build leaves it out. */}
                {import.meta.env.SSR && <CalendarLinkList event={event} baseUrl={baseUrl} />}
              </noscript>
            )}
            {inPerson && event.location && <Directions location={event.location} />}
          </div>
          <div className={styles.text}>
            <Description event={event} className={styles.description} />
            {speakers.length > 0 && <FeaturedSpeakers headingLevel={2} speakers={speakers} />}
          </div>
          <p className={styles.back}>{back}</p>
        </div>
      </div>
    </article>
  )
}

/** The links of the menu `Add to Calendar`, which takes scripts. */
function CalendarLinkList({ event, baseUrl }: Pick<EventPageProps, 'event' | 'baseUrl'>) {
  const links = calendarLinks(event, baseUrl)
  return (
    <ul aria-label="Add to Calendar">
      <li>
        <NewTabLink href={links.google}>Google Calendar</NewTabLink>
      </li>
      <li>
        <NewTabLink href={links.outlook}>Outlook</NewTabLink>
      </li>
      <li>
        <a href={links.ical}>Apple Calendar and others (.ics)</a>
      </li>
    </ul>
  )
}

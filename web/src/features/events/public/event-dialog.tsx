import { type ReactNode, useId } from 'react'
import type { CalendarEvent, Venue } from '../../../api/types'
import { Button, buttonClass } from '../../../components/ui/button'
import { Dialog } from '../../../components/ui/dialog'
import { Icon } from '../../../components/ui/icon'
import { classNames } from '../../../lib/class-names'
import { useMinute } from '../../../lib/hydration'
import { longWordClass } from '../../../components/fit-text'
import { bannerOf, eventState, isClosed, isInPerson, typeSlug } from '../event-presentation'
import { EventTypeBadge, StatusBadge } from '../event-badges'
import { Description } from './description'
import { MapDisclosure, MapLinks } from './directions'
import { AddToCalendar, canBeAdded, EventLinks } from './event-actions'
import { EventDetails, FeaturedSpeakers } from './event-details'
import styles from './event-dialog.module.css'
import { EventStateNotice } from './event-facts'
import directionsStyles from './inline-directions.module.css'
import { ShareButton } from './share-button'

interface EventDialogProps {
  event: CalendarEvent
  /** The public URL of the site. */
  baseUrl: string
  /** The map or photo of the venue, shown over the banner of an in-person event. */
  venueImage?: ReactNode
  /** The link to the event's form, for admins. */
  editLink?: ReactNode
  /**
   * The footer of an in-person event, around the button that closes the dialog. `closedBy` is the id
   * of the text that says why it takes no more visitors.
   */
  renderInterest: (close: ReactNode, closedBy: string | undefined) => ReactNode
  onClose: () => void
}

/** The details of an event (spec §2, /calendar; guide §6, Event dialog). */
export function EventDialog(props: EventDialogProps) {
  const { event, baseUrl, venueImage, renderInterest, onClose } = props
  const headingId = useId()
  const statusId = `${headingId}status`
  const inPerson = isInPerson(event.type)
  const state = eventState(event, useMinute())
  const speakers = event.speakers.map(({ speaker }) => speaker)
  const close = <Button onClick={onClose}>Close</Button>

  return (
    <Dialog headingId={headingId} data-type={typeSlug(event.type)} onClose={onClose}>
      <button
        type="button"
        className={styles.close}
        aria-label="Close dialog"
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroll} tabIndex={0} role="group" aria-label="Event details">
        <div className={styles.art}>
          <img className={styles.banner} src={bannerOf(event.type)} alt="" />
          {inPerson && venueImage}
        </div>
        <div className={styles.body}>
          <span className={styles.badge}>
            <EventTypeBadge type={event.type} />
            <StatusBadge event={event} />
          </span>
          <div className="word-box">
            <h2
              className={classNames(styles.title, longWordClass(event.title))}
              id={headingId}
              tabIndex={-1}
            >
              {event.title}
            </h2>
          </div>
          <EventStateNotice id={statusId} event={event} state={state} />
          <EventDetails event={event} />
          <div className={styles.tools}>
            {inPerson && event.location && <InlineDirections location={event.location} />}
            {canBeAdded(event, state) && (
              <AddToCalendar
                className={buttonClass({ size: 'small' })}
                event={event}
                baseUrl={baseUrl}
              />
            )}
            <ShareButton event={event} baseUrl={baseUrl} />
            {props.editLink}
          </div>
          <Description event={event} className={styles.description} />
          {speakers.length > 0 && <FeaturedSpeakers headingLevel={3} speakers={speakers} />}
        </div>
      </div>
      <div className={styles.footer}>
        {inPerson
          ? renderInterest(close, state === 'over' || isClosed(event) ? statusId : undefined)
          : close}
        <EventLinks event={event} state={state} />
      </div>
    </Dialog>
  )
}

/**
 * Directions among other tools: a disclosure; on phones both maps are in a popover (spec §2). Both
 * work without scripts, and the style sheet selects one.
 */
function InlineDirections({ location }: { location: Venue }) {
  const id = useId()
  return (
    <div className={directionsStyles.root}>
      <MapDisclosure location={location} />
      <Button className={directionsStyles.opener} size="small" popoverTarget={id}>
        <Icon name="pin" /> Get Directions
      </Button>
      <div className={directionsStyles.popover} id={id} popover="auto">
        <MapLinks location={location} className={buttonClass({})} />
      </div>
    </div>
  )
}

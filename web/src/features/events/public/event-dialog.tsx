import { type ReactNode, useId } from 'react'
import type { CalendarEvent, EventLocation, EventSpeaker } from '../../../api/types'
import { Button } from '../../../components/ui/button'
import { Dialog } from '../../../components/ui/dialog'
import { Icon } from '../../../components/ui/icon'
import { Portrait } from '../../../components/ui/portrait'
import { bannerOf, isInPerson, typeSlug } from '../event-look'
import { alternateTimes, startOf, timeElsewhere, whenLabel } from '../event-time'
import { TypeFlag } from '../type-flag'
import styles from './event-dialog.module.css'
import { Fact, Facts } from './facts'
import { InlineDirections } from './inline-directions'
import { RegisterLink } from './register-link'

interface EventDialogProps {
  event: CalendarEvent
  /** The map or photo of the venue, laid over the banner of an in-person event. */
  venuePicture?: ReactNode
  /** The footer of an in-person event, around the button that closes the dialog. */
  renderInterest: (close: ReactNode) => ReactNode
  onClose: () => void
}

/** All about one event (spec §2, /calendar; guide §6, Event dialog). */
export function EventDialog({ event, venuePicture, renderInterest, onClose }: EventDialogProps) {
  const headingId = useId()
  const inPerson = isInPerson(event.type)
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
      {/* It scrolls, so the keyboard must reach it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroll} tabIndex={0} role="group" aria-label="Event details">
        <div className={styles.art}>
          <img className={styles.banner} src={bannerOf(event.type)} alt="" />
          {inPerson && venuePicture}
        </div>
        <div className={styles.body}>
          <span className={styles.flag}>
            <TypeFlag type={event.type} />
          </span>
          <h2 className={styles.title} id={headingId} tabIndex={-1}>
            {event.title}
          </h2>
          <DialogFacts event={event} />
          {inPerson && event.location && <InlineDirections location={event.location} />}
          <p className={styles.description}>{event.description}</p>
          {speakers.length > 0 && <FeaturedSpeakers speakers={speakers} />}
        </div>
      </div>
      <div className={styles.foot}>
        {inPerson ? (
          renderInterest(close)
        ) : (
          <>
            {close}
            <RegisterLink href={event.registrationUrl} />
          </>
        )}
      </div>
    </Dialog>
  )
}

function DialogFacts({ event }: { event: CalendarEvent }) {
  const start = startOf(event)
  const inPerson = isInPerson(event.type)
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const ownTime = inPerson ? null : timeElsewhere(start, event.timezone, ownZone)

  return (
    <Facts>
      <Fact
        name="When"
        more={inPerson ? undefined : alternateTimes(start, event.timezone).join(' / ')}
      >
        <time dateTime={new Date(start).toISOString()}>{whenLabel(start, event.timezone)}</time>
      </Fact>
      {ownTime && <Fact name="Your time">{ownTime}</Fact>}
      {event.location && (
        <Fact name="Where">
          {event.location.venueName}
          <City location={event.location} />
        </Fact>
      )}
    </Facts>
  )
}

function City({ location: { city, state } }: { location: EventLocation }) {
  const line = [city, state].filter(Boolean).join(', ')
  return line && <span className={styles.city}>{line}</span>
}

function FeaturedSpeakers({ speakers }: { speakers: readonly EventSpeaker[] }) {
  return (
    <>
      <h3 className={styles.heading}>Featured Speakers</h3>
      <ul className={styles.speakers}>
        {speakers.map(({ id, name, title, imageUrl, bio }) => (
          <li key={id} className={styles.speaker}>
            <Portrait className={styles.portrait} name={name} imageUrl={imageUrl} />
            <div className={styles.words}>
              <b className={styles.name}>{name}</b>
              <span className={styles.role}>{title}</span>
              {bio && <p className={styles.bio}>{bio}</p>}
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

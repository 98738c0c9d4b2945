import { memo } from 'react'
import type { EventSpeaker } from '../../../api/types'
import { bannerOf, isInPerson, typeSlug } from '../event-look'
import { startOf } from '../event-time'
import { EventFacts, type PlacedEvent } from '../public/event-facts'
import { isWebUrl } from './rules'
import { SpeakerWall } from '../public/speaker-wall'
import { TypeFlag } from '../type-flag'
import { type EventDraft, hasVenue } from './draft'
import styles from './event-preview.module.css'

interface EventPreviewProps {
  draft: EventDraft
  nameOf: (id: number) => EventSpeaker | undefined
}

/**
 * The event as its card will show it to visitors. It only repeats the form, so nothing in it can be
 * reached by keyboard or is read out.
 */
export const EventPreview = memo(function EventPreview({ draft, nameOf }: EventPreviewProps) {
  const inPerson = isInPerson(draft.type)
  const speakers = draft.speakerIds.flatMap((id) => nameOf(id) ?? [])
  const picture = draft['location.imageUrl'].trim()
  const hasPicture = inPerson && (isWebUrl(picture) || picture.startsWith('/pictures/'))
  const canTellTime = !Number.isNaN(startOf(draft))
  return (
    <>
      <h2 className={styles.heading}>As visitors will see it</h2>
      <div className={styles.card} data-type={typeSlug(draft.type)} inert>
        <div className={styles.art}>
          <img className={styles.banner} src={bannerOf(draft.type)} alt="" />
          {hasPicture && <img className={styles.banner} src={picture} alt="" />}
          {speakers.length > 0 && <SpeakerWall speakers={speakers} />}
        </div>
        <div className={styles.body}>
          <span className={styles.flag}>
            <TypeFlag type={draft.type} />
          </span>
          <p className={styles.title}>{draft.title.trim() || 'Title'}</p>
          {canTellTime && <EventFacts event={asEvent(draft)} />}
          <p className={styles.description}>{draft.description.trim() || 'Description'}</p>
          <p className={styles.action}>{inPerson ? 'Planning to Attend' : 'Register Now'}</p>
        </div>
      </div>
    </>
  )
})

function asEvent(draft: EventDraft): PlacedEvent {
  return {
    type: draft.type,
    date: draft.date,
    time: draft.time,
    timezone: draft.timezone,
    location:
      isInPerson(draft.type) && hasVenue(draft)
        ? {
            venueName: draft['location.venueName'],
            venueAddress: draft['location.venueAddress'],
            city: draft['location.city'],
            state: draft['location.state'],
            imageUrl: null,
            placeId: null,
          }
        : null,
  }
}

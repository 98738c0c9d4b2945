import { memo } from 'react'
import type { EventLocation, EventSpeaker } from '../../../api/types'
import { classNames } from '../../../lib/class-names'
import { isImageAddress } from '../../../lib/checks'
import { bannerOf, isInPerson, typeSlug } from '../event-presentation'
import { startOf } from '../event-time'
import { EventFacts } from '../public/event-facts'
import { SpeakerWall } from '../public/speaker-wall'
import { TypeFlag } from '../type-flag'
import { type EventDraft, hasVenue, locationOf } from './draft'
import styles from './event-preview.module.css'
import type { VenueImage } from './venue-fields'

interface EventPreviewProps {
  draft: EventDraft
  speakerById: (id: number) => EventSpeaker | undefined
  venueImage: VenueImage | undefined
}

/** The event's public card. It repeats the form, so it is inert to keyboard and screen reader. */
export const EventPreview = memo(function EventPreview(props: EventPreviewProps) {
  const { draft, speakerById, venueImage } = props
  const inPerson = isInPerson(draft.type)
  const speakers = draft.speakerIds.flatMap((id) => speakerById(id) ?? [])
  const location = inPerson && hasVenue(draft) ? venueOf(draft) : null
  const hasStart = !Number.isNaN(startOf(draft))
  return (
    <>
      <h2 className={styles.heading}>As visitors will see it</h2>
      <div className={styles.card} data-type={typeSlug(draft.type)} inert>
        <div className={classNames(styles.art, speakers.length === 0 && styles.bare)}>
          <img className={styles.banner} src={bannerOf(draft.type)} alt="" />
          {location && venueImage?.(location)}
          {speakers.length > 0 && <SpeakerWall speakers={speakers} />}
        </div>
        <div className={styles.body}>
          <span className={styles.flag}>
            <TypeFlag type={draft.type} />
          </span>
          <p className={styles.title}>{draft.title.trim() || 'Title'}</p>
          {hasStart && <EventFacts event={{ ...draft, location }} />}
          <p className={styles.description}>{draft.description.trim() || 'Description'}</p>
          <p className={styles.action}>{inPerson ? 'Planning to Attend' : 'Register Now'}</p>
        </div>
      </div>
    </>
  )
})

/** The venue, without an image address that is not valid yet. */
function venueOf(draft: EventDraft): EventLocation {
  const location = locationOf(draft)
  const { imageUrl } = location
  return { ...location, imageUrl: imageUrl && isImageAddress(imageUrl) ? imageUrl : null }
}

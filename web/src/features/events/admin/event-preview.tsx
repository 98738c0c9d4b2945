import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import type { Venue, SpeakerSummary } from '../../../api/types'
import { classNames } from '../../../lib/class-names'
import { isImageUrl } from '../../../lib/text'
import { useDebounced } from '../../../lib/use-debounced'
import { bannerOf, isClosed, isInPerson, typeSlug } from '../event-presentation'
import { EventTypeBadge, StatusBadge } from '../event-badges'
import { startOf } from '../event-time'
import { CardSpeakers } from '../public/card-speakers'
import { Description } from '../public/description'
import { EventFacts } from '../public/event-facts'
import { renderedDescriptionQuery } from './api'
import styles from './event-preview.module.css'
import { type EventFormValues, hasVenue, venueOf } from './form-values'
import { isStatus } from './status-labels'
import type { VenueImage } from './venue-fields'

interface EventPreviewProps {
  values: EventFormValues
  speakerById: (id: number) => SpeakerSummary | undefined
  venueImage: VenueImage | undefined
}

/** The event's public card. It repeats the form, so it is inert to keyboard and screen reader. */
export const EventPreview = memo(function EventPreview(props: EventPreviewProps) {
  const { values, speakerById, venueImage } = props
  const inPerson = isInPerson(values.type)
  const speakers = values.speakerIds.flatMap((id) => speakerById(id) ?? [])
  const location = inPerson && hasVenue(values) ? previewVenue(values) : null
  const hasAction = !isStatus(values.status) || !isClosed({ status: values.status })
  const hasStart = !Number.isNaN(startOf(values))
  return (
    // Focusable, so that the keyboard can scroll it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.card} tabIndex={0} role="group" aria-label="The card of the event">
      <div data-type={typeSlug(values.type)} inert>
        <div className={classNames(styles.art, speakers.length === 0 && styles.bare)}>
          <img className={styles.banner} src={bannerOf(values.type)} alt="" />
          {location && venueImage?.(location)}
          {speakers.length > 0 && <CardSpeakers speakers={speakers} />}
        </div>
        <div className={styles.body}>
          <span className={styles.badge}>
            <EventTypeBadge type={values.type} />
            {isStatus(values.status) && <StatusBadge event={{ status: values.status }} />}
          </span>
          <p className={styles.title}>{values.title.trim() || 'Title'}</p>
          {hasStart && <EventFacts event={{ ...values, location }} />}
          <PreviewDescription values={values} />
          {hasAction && (
            <p className={styles.action}>{inPerson ? 'Planning to Attend' : 'Register Now'}</p>
          )}
        </div>
      </div>
    </div>
  )
})

/** Delay after the last key until the server formats the description, in milliseconds. */
const renderDelay = 300

/** The description; with Markdown as the server formats it. */
function PreviewDescription({ values }: { values: EventFormValues }) {
  const text = values.description.trim()
  const isMarkdown = values.descriptionFormat === 'markdown' && text !== ''
  const settled = useDebounced(text, renderDelay)
  const { data: html } = useQuery({
    ...renderedDescriptionQuery(settled),
    enabled: isMarkdown && settled !== '',
    placeholderData: keepPreviousData,
  })
  if (isMarkdown && html !== undefined) {
    const event = { description: text, descriptionHtml: html }
    return <Description event={event} className={styles.formatted} />
  }
  return <p className={styles.description}>{text || 'Description'}</p>
}

/** The venue as the card shows it: without an image URL that is not valid yet. */
function previewVenue(values: EventFormValues): Venue {
  const venue = venueOf(values)
  const { imageUrl } = venue
  return { ...venue, imageUrl: imageUrl && isImageUrl(imageUrl) ? imageUrl : null }
}

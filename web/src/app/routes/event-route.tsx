import { useQuery } from '@tanstack/react-query'
import { useMatch, useSearchParams } from 'react-router-dom'
import type { CalendarEvent, PageInterest } from '../../api/types'
import { SiteLink } from '../../components/links'
import { markedTitle } from '../../features/events/event-presentation'
import { LoadError } from '../../features/events/load-error'
import { EventPage } from '../../features/events/public/event-page'
import { useEvent } from '../../features/events/use-event'
import { InterestToggle } from '../../features/interest/interest-toggle'
import type { ServedInterest } from '../../features/interest/use-interest'
import { EditEventLink } from '../edit-event-link'
import { EventVenueImage } from '../event-venue-image'
import { pageInterestQuery, useSite } from '../initial-data'
import { useDocumentTitle, useFocusOnceLoaded } from '../navigation-effects'
import { paths } from '../paths'
import styles from '../../features/events/public/event-page.module.css'
import { NotFoundRoute } from './not-found-route'

/**
 * An event's page. The event is found by the id in the URL; the slug is ignored. The attendance page,
 * to which the server redirects a visitor who attends without scripts, is the same with the visitor's
 * interest.
 */
export function EventRoute() {
  const idAndSlug = useMatch(`${paths.event}/*`)?.params.event ?? ''
  const id = /^(\d{1,15})(-|$)/.exec(idAndSlug)?.[1]
  const { event, isMissing, isOffline, hasFailed, retry } = useEvent(id ? Number(id) : null)

  if (event) return <LoadedEvent key={event.id} event={event} />
  if (isOffline || hasFailed) {
    return (
      <div className="wrap">
        <LoadError isOffline={isOffline} onRetry={retry} />
      </div>
    )
  }
  if (!id || isMissing) return <NotFoundRoute />
  return (
    <div className={styles.loading} aria-busy="true">
      <p className="visually-hidden">Loading the event...</p>
    </div>
  )
}

function LoadedEvent({ event }: { event: CalendarEvent }) {
  const { baseUrl } = useSite()
  const { interest, isPreview } = usePageInterest()
  useDocumentTitle(markedTitle(event))
  useFocusOnceLoaded()
  return (
    <EventPage
      event={event}
      baseUrl={baseUrl}
      isPreview={isPreview}
      venueImage={<EventVenueImage location={event.location} />}
      renderInterest={(closedBy) => (
        <InterestToggle
          event={event}
          closedBy={closedBy}
          served={servedInterest(interest, isPreview)}
        />
      )}
      editLink={<EditEventLink id={event.id} />}
      problem={interest?.problem}
      back={<SiteLink to={paths.calendar}>Back to the calendar</SiteLink>}
    />
  )
}

/** The interest from the initial data of an attendance page or a preview, and whether this is a preview. */
function usePageInterest() {
  const isAttendancePage = useMatch(paths.attendance) !== null
  const hasPreviewLink = useSearchParams()[0].has('preview') && !isAttendancePage
  const { data } = useQuery(pageInterestQuery())
  const interest = isAttendancePage || hasPreviewLink ? (data ?? undefined) : undefined
  // The preview link of an event that visitors see leads to its page.
  return { interest, isPreview: hasPreviewLink && interest !== undefined }
}

/** The interest for the toggle; events that are not in person have none. The API lacks that of a preview. */
function servedInterest(
  interest: PageInterest | undefined,
  isPreview: boolean,
): ServedInterest | undefined {
  if (interest?.count == null) return undefined
  const initialData = { count: interest.count, hasInterest: interest.hasInterest }
  return { initialData, enabled: !isPreview }
}

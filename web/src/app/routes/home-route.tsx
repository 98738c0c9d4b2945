import type { CalendarEvent } from '../../api/types'
import { NextEventCard } from '../../features/events/public/next-event-card'
import { NextEventSkeleton } from '../../features/events/public/next-event-skeleton'
import { StayTuned } from '../../features/events/public/stay-tuned'
import { useNextEvent } from '../../features/events/use-next-event'
import { InterestToggle } from '../../features/interest/interest-toggle'
import { useHeroText } from '../../features/page-content/api'
import { Hero } from '../../features/page-content/hero'
import { VenuePicture } from '../../features/venue-photo/venue-picture'
import { useSite } from '../first-data'
import { useDocumentTitle } from '../use-document-title'

/** The home page (spec §2): the hero and the event that comes next. */
export function HomeRoute() {
  const { event, isLoading } = useNextEvent()
  const { title } = useHeroText()
  useDocumentTitle(title)

  return (
    <>
      <Hero scene={event || isLoading ? 'skyline' : 'construction'} />
      <div className="wrap wrap-flush">
        {isLoading ? <NextEventSkeleton /> : <NextEvent event={event} />}
      </div>
    </>
  )
}

function NextEvent({ event }: { event: CalendarEvent | undefined }) {
  const site = useSite()
  if (!event) return <StayTuned learnMoreUrl={site.learnMoreUrl} />

  const { location } = event
  return (
    <NextEventCard
      event={event}
      venuePicture={
        location?.placeId && (
          <VenuePicture
            key={location.placeId}
            placeId={location.placeId}
            venueName={location.venueName}
            mapsKey={site.mapsBrowserKey}
          />
        )
      }
      interest={<InterestToggle key={event.id} eventId={event.id} />}
    />
  )
}

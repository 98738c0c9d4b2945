import type { CalendarEvent } from '../../api/types'
import { CalendarSection } from '../../features/events/calendar/calendar-section'
import {
  NextEventCard,
  NextEventSkeleton,
  StayTuned,
} from '../../features/events/public/next-event-card'
import { useNextEvent } from '../../features/events/use-next-event'
import { InterestToggle } from '../../features/interest/interest-toggle'
import { useHeroText } from '../../features/page-content/api'
import { Hero } from '../../features/page-content/hero'
import { SubscribeMenuLink } from '../../features/subscriptions/subscribe-menu-link'
import { EventVenueImage } from '../event-venue-image'
import { useSite } from '../initial-data'
import { EventCalendar, NewsletterSection } from '../lazy-sections'
import { useDocumentTitle } from '../navigation-effects'

/** The home page (spec §2): the hero, the next event and the calendar. */
export function HomeRoute() {
  const { event, isLoading } = useNextEvent()
  const { title } = useHeroText()
  const { baseUrl, name } = useSite()
  useDocumentTitle(title)

  return (
    <>
      <Hero scene={event || isLoading ? 'skyline' : 'construction'} />
      <div className="wrap wrap-flush">
        {isLoading ? <NextEventSkeleton /> : <NextEvent event={event} />}
      </div>
      <CalendarSection tools={<SubscribeMenuLink baseUrl={baseUrl} siteName={name} />}>
        <EventCalendar interest={InterestToggle} headingLevel={3} />
      </CalendarSection>
      <NewsletterSection />
    </>
  )
}

function NextEvent({ event }: { event: CalendarEvent | undefined }) {
  const site = useSite()
  if (!event) return <StayTuned learnMoreUrl={site.learnMoreUrl} />

  return (
    <NextEventCard
      event={event}
      baseUrl={site.baseUrl}
      venueImage={<EventVenueImage location={event.location} />}
      renderInterest={(closedBy) => (
        <InterestToggle key={event.id} event={event} closedBy={closedBy} />
      )}
    />
  )
}

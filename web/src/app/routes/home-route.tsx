import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
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
import { componentQuery, useNearViewport } from '../../lib/lazy'
import { EventVenueImage } from '../event-venue-image'
import { useSite } from '../initial-data'
import { EventCalendar, SubscribeBlock } from '../lazy-sections'
import { useDocumentTitle } from '../navigation-effects'
import styles from '../subscription-options.module.css'

/** The home page (spec §2): the hero, the next event and the calendar. */
export function HomeRoute() {
  const { event, isLoading } = useNextEvent()
  const { title } = useHeroText()
  const { subscribe, contact, baseUrl, name } = useSite()
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
      <SubscribeBlock form={subscribe} email={contact.email} otherWays={<SubscriptionOptions />} />
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
      renderInterest={(isClosed) => (
        <InterestToggle key={event.id} event={event} isClosed={isClosed} />
      )}
    />
  )
}

const listQuery = componentQuery(
  'subscription-list',
  async () => (await import('../../features/subscriptions/subscription-options')).SubscriptionList,
)

/** The calendar's subscriptions; their code is loaded when they are near the viewport. */
export function SubscriptionOptions() {
  const root = useRef<HTMLDivElement>(null)
  const isNear = useNearViewport(root, '75%')
  const { data: SubscriptionList } = useQuery({ ...listQuery, enabled: isNear })
  const { baseUrl, name } = useSite()
  return (
    <div ref={root} className={styles.root}>
      {SubscriptionList && <SubscriptionList baseUrl={baseUrl} siteName={name} />}
    </div>
  )
}

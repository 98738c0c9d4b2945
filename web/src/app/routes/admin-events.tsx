import { useQuery } from '@tanstack/react-query'
import { EventsTab } from '../../features/events/admin/events-tab'
import { speakersQuery } from '../../features/speakers/api'
import { VenueSearch } from '../../features/venue-search/venue-search'
import { EventVenueImage } from '../event-venue-image'
import { useSite } from '../initial-data'

/** The Events tab, with the speakers for its form and the venue search. */
export function AdminEvents() {
  const { baseUrl, mapsBrowserKey } = useSite()
  const { data, isError, isFetching, refetch } = useQuery(speakersQuery())
  return (
    <EventsTab
      siteUrl={baseUrl}
      speakers={{ all: data, hasFailed: isError && !isFetching, retry: () => void refetch() }}
      venueSearch={
        mapsBrowserKey
          ? (onPlace) => <VenueSearch mapsKey={mapsBrowserKey} onPlace={onPlace} />
          : undefined
      }
      venueImage={(location) => <EventVenueImage location={location} />}
    />
  )
}

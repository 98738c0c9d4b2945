import type { EventLocation } from '../api/types'
import { VenueImage } from '../features/venue-photo/venue-image'
import { useSite } from './first-data'

/** The picture of an event's venue, where its place is known or a picture was given (spec §2, §4). */
export function EventVenue({ location }: { location: EventLocation | null | undefined }) {
  const { mapsBrowserKey } = useSite()
  return (
    location && (
      <VenueImage
        placeId={location.placeId}
        imageUrl={location.imageUrl}
        venueName={location.venueName}
        mapsKey={mapsBrowserKey}
      />
    )
  )
}

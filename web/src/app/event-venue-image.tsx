import type { Venue } from '../api/types'
import { VenueImage } from '../features/venue-photo/venue-image'
import { useSite } from './initial-data'

/** The image of an event's venue, if it has a place id or an image URL (spec §2, §4). */
export function EventVenueImage({ location }: { location: Venue | null | undefined }) {
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

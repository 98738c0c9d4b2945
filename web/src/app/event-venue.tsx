import type { CalendarEvent } from '../api/types'
import { VenuePicture } from '../features/venue-photo/venue-picture'
import { useSite } from './first-data'

/** The picture of an event's venue, where its place is known (spec §2, §4). */
export function EventVenue({ event: { location } }: { event: CalendarEvent }) {
  const { mapsBrowserKey } = useSite()
  return (
    location?.placeId && (
      <VenuePicture
        key={location.placeId}
        placeId={location.placeId}
        venueName={location.venueName}
        mapsKey={mapsBrowserKey}
      />
    )
  )
}

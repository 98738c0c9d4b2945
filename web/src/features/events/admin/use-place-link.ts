import { useState } from 'react'
import type { EventDraft } from './draft'
import type { EventForm } from './use-event-form'
import type { Place } from './venue-fields'

/** What says where a place is. */
type Whereabouts = 'location.venueAddress' | 'location.city' | 'location.state'
const whereabouts = ['location.venueAddress', 'location.city', 'location.state'] as const

/** A place on the map, and what the fields said when the link to it was made. */
type LinkedPlace = Pick<EventDraft, Whereabouts | 'location.placeId'>

/**
 * The link of a venue to a place on the map, whose picture visitors see. It holds for as long as the
 * address does: a floor may be added to it, and the venue be called as one likes. Another address is
 * another place, which must not show this one's picture; put back, it is linked again.
 */
export function usePlaceLink({ draft, field, change }: EventForm) {
  const [known, setKnown] = useState<LinkedPlace | null>(null)
  const placeId = draft['location.placeId']
  // The draft may bring another one: that of the event, or another editor's.
  const linked = placeId !== '' && placeId !== known?.['location.placeId'] ? draft : known
  if (linked !== known) setKnown(linked)

  return {
    /** Whether there is a link, or was one. */
    wasLinked: linked !== null,
    /** Takes the place that was found. */
    choose: (place: Place) => {
      const changes = {
        'location.placeId': place.placeId,
        'location.venueName': place.name,
        'location.venueAddress': place.address,
        'location.city': place.city,
        'location.state': place.state,
      }
      setKnown(changes)
      change(changes)
    },
    unlink: () => {
      setKnown(null)
      change({ 'location.placeId': '' })
    },
    /** A field of the whereabouts, which makes or ends the link as it is changed by hand. */
    field: (name: Whereabouts): ReturnType<EventForm['field']> => ({
      ...field(name),
      onChange: ({ target: { value } }) => {
        const next = { ...draft, [name]: value }
        const isSame =
          linked !== null && whereabouts.every((part) => holds(next[part], linked[part]))
        change({
          [name]: value,
          ...(linked && { 'location.placeId': isSame ? linked['location.placeId'] : '' }),
        })
      },
    }),
  }
}

/** Whether a text still says all that another one said. */
function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.trim().toLowerCase())
}

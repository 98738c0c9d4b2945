import type { ReactNode } from 'react'
import type { EventLocation } from '../../../api/types'

/** A place as a search for venues finds it. */
export interface Place {
  placeId: string
  name: string
  address: string
  city: string
  state: string
}

/**
 * Renders the search for venues, where the site has one; it hands over the place that was chosen.
 * The route supplies it, because it belongs to another feature.
 */
export type VenueSearch = (onPlace: (place: Place) => void) => ReactNode

/** Renders the picture of a venue that visitors see; the route supplies it for the same reason. */
export type VenuePicture = (location: EventLocation) => ReactNode

/** A component of an address from the provider: the city, the state, a postal code. */
interface AddressComponent {
  types: readonly string[]
  longText: string | null
  shortText: string | null
}

/** The provider's data of a place, after `placeFields` were fetched. */
export interface ProviderPlace {
  id: string
  displayName?: string | null
  formattedAddress?: string | null
  addressComponents?: readonly AddressComponent[] | null
}

/** The fields requested for a chosen place. */
export const placeFields = [
  'id',
  'displayName',
  'formattedAddress',
  'addressComponents',
  'location',
  'photos',
] as const

/** A place in the format of the event form. */
export interface FoundPlace {
  placeId: string
  name: string
  address: string
  city: string
  state: string
}

/** Converts a place: the city is its locality, the state its abbreviation (spec §7). */
export function foundPlaceOf(place: ProviderPlace): FoundPlace {
  const part = (type: string) => place.addressComponents?.find(({ types }) => types.includes(type))
  const state = part('administrative_area_level_1')
  return {
    placeId: place.id,
    name: place.displayName ?? '',
    address: place.formattedAddress ?? '',
    city: part('locality')?.longText ?? '',
    state: state?.shortText ?? state?.longText ?? '',
  }
}

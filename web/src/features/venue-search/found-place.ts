/** A component of an address from the provider: the city, the state, a postal code. */
interface AddressComponent {
  types: readonly string[]
  longText: string | null
  shortText: string | null
}

/** A place as the provider describes it once `placeFields` were fetched. */
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

/** A place that was found, as the event form takes it. */
export interface FoundPlace {
  placeId: string
  name: string
  address: string
  city: string
  state: string
}

/** What the form takes from a place: its city is the locality, its state in two letters (spec §7). */
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

// @vitest-environment node
import { expect, it } from 'vitest'
import { foundPlaceOf } from './found-place'

it('uses the locality as the city and the short name of the state', () => {
  const part = (type: string, longText: string, shortText: string) => ({
    types: [type, 'political'],
    longText,
    shortText,
  })
  const place = {
    id: 'arcadia',
    displayName: 'The Arcadia House',
    formattedAddress: '4400 N 64th St, Scottsdale, AZ 85251, USA',
    addressComponents: [
      part('administrative_area_level_2', 'Maricopa County', 'Maricopa County'),
      part('administrative_area_level_1', 'Arizona', 'AZ'),
      part('locality', 'Scottsdale', 'Scottsdale'),
    ],
  }
  expect(foundPlaceOf(place)).toEqual({
    placeId: 'arcadia',
    name: 'The Arcadia House',
    address: '4400 N 64th St, Scottsdale, AZ 85251, USA',
    city: 'Scottsdale',
    state: 'AZ',
  })
})

it('leaves missing values blank', () => {
  expect(foundPlaceOf({ id: 'somewhere', displayName: null, addressComponents: null })).toEqual({
    placeId: 'somewhere',
    name: '',
    address: '',
    city: '',
    state: '',
  })
})

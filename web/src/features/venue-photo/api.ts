import { queryOptions } from '@tanstack/react-query'
import { readJson } from '../../api/client'
import type { PlacePhoto } from '../../api/types'
import { readStored, writeStored } from '../../lib/storage'

/** How long a photo is cached, in milliseconds (spec §9). */
const maxAge = 24 * 60 * 60 * 1000

interface CachedPhoto {
  photo: PlacePhoto
  cachedAt: number
}

/**
 * A place's photo, from local storage for 24 hours (spec §9), else from the server. A failure is
 * logged and gives null, so that the banner stays visible (spec §8).
 */
export const venuePhotoQuery = (placeId: string) =>
  queryOptions({
    queryKey: ['venue-photo', placeId],
    queryFn: async ({ signal }): Promise<PlacePhoto | null> => {
      const cached = cachedPhoto(placeId)
      if (cached) return cached
      try {
        const path = `/api/places/photo/${encodeURIComponent(placeId)}`
        const photo = await readJson<PlacePhoto>(path, { signal })
        writeStored(
          storageKey(placeId),
          JSON.stringify({ photo, cachedAt: Date.now() } satisfies CachedPhoto),
        )
        return photo
      } catch (cause) {
        if (signal.aborted) throw cause
        console.warn('Failed to fetch the venue photo', cause)
        return null
      }
    },
  })

const storageKey = (placeId: string) => `lectern.venue-photo.${placeId}`

function cachedPhoto(placeId: string): PlacePhoto | null {
  try {
    const cached = JSON.parse(readStored(storageKey(placeId)) ?? 'null') as CachedPhoto | null
    const isFresh = cached && Date.now() - cached.cachedAt < maxAge
    return isFresh ? cached.photo : null
  } catch {
    return null
  }
}

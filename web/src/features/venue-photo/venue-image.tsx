import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { NewTabLink } from '../../components/links'
import { FadingImage } from '../../components/ui/fading-image'
import { useNearViewport } from '../../lib/lazy'
import { venuePhotoQuery } from './api'
import styles from './venue-image.module.css'

interface VenueImageProps {
  placeId: string | null | undefined
  /** The image URL set by an admin. */
  imageUrl: string | null | undefined
  venueName: string
  /** The maps key for browsers; without one a photo is shown instead of a map. */
  mapsKey: string | null | undefined
}

/**
 * The venue of an in-person event: a map if the site has a maps key, else the admin's image, else
 * a photo of the place. It covers the banner, which is visible until the image loads or if it fails
 * (spec §2, §4).
 */
export function VenueImage({ placeId, imageUrl, venueName, mapsKey }: VenueImageProps) {
  const [failed, setFailed] = useState<string>()
  return placeId && mapsKey ? (
    <iframe
      // Changing the URL of a frame would add an entry to the history.
      key={placeId}
      className={styles.root}
      title={`Map of ${venueName}`}
      src={`https://www.google.com/maps/embed/v1/place?${new URLSearchParams({
        key: mapsKey,
        q: `place_id:${placeId}`,
      }).toString()}`}
      loading="lazy"
      referrerPolicy="strict-origin-when-cross-origin"
    />
  ) : imageUrl && imageUrl !== failed ? (
    <div className={styles.root}>
      <FadingImage
        className={styles.photo}
        src={imageUrl}
        alt=""
        onError={() => {
          console.warn('Failed to load the venue image', imageUrl)
          setFailed(imageUrl)
        }}
      />
    </div>
  ) : (
    placeId && <VenuePhoto key={placeId} placeId={placeId} />
  )
}

function VenuePhoto({ placeId }: { placeId: string }) {
  const frame = useRef<HTMLDivElement>(null)
  const isNear = useNearViewport(frame, '75%')
  const { data: photo } = useQuery({ ...venuePhotoQuery(placeId), enabled: isNear })
  const [hasFailed, setHasFailed] = useState(false)

  return (
    <div ref={frame} className={styles.root}>
      {photo && !hasFailed && (
        <>
          <FadingImage
            className={styles.photo}
            src={photo.photoUrl}
            alt=""
            onError={() => {
              console.warn('Failed to load the venue photo', photo.photoUrl)
              setHasFailed(true)
            }}
          />
          {photo.attributions.length > 0 && (
            <p className={styles.credit}>
              Photo:{' '}
              {photo.attributions.map(({ name, uri }, index) => (
                <span key={name}>
                  {index > 0 && ', '}
                  {uri ? <NewTabLink href={uri}>{name}</NewTabLink> : name}
                </span>
              ))}
            </p>
          )}
        </>
      )}
    </div>
  )
}

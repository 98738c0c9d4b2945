import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { FadingImage } from '../../components/ui/fading-image'
import { NewTabLink } from '../../components/ui/new-tab-link'
import { logProblem } from '../../lib/log-problem'
import { useNearViewport } from '../../lib/use-near-viewport'
import { venuePhotoQuery } from './api'
import styles from './venue-image.module.css'

interface VenueImageProps {
  placeId: string | null | undefined
  /** The image address set by an editor. */
  imageUrl: string | null | undefined
  venueName: string
  /** The key that the browser may use; without one there is no map, but a photo. */
  mapsKey: string | null | undefined
}

/**
 * The place of an in-person event: a map where the site has a key for maps, else the editor's own
 * picture, else a photo of the place. It lies over the banner, which shows until the picture is there
 * and stays if it never comes (spec §2, §4).
 */
export function VenueImage({ placeId, imageUrl, venueName, mapsKey }: VenueImageProps) {
  const [failed, setFailed] = useState<string>()
  return placeId && mapsKey ? (
    <iframe
      // Another address in the same frame would be one more step of Back.
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
          logProblem('Failed to load the venue image', imageUrl)
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
              logProblem('Failed to load the venue photo', photo.photoUrl)
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

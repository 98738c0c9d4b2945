import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { FadingImage } from '../../components/ui/fading-image'
import { NewTabLink } from '../../components/ui/new-tab-link'
import { logProblem } from '../../lib/log-problem'
import { useNearViewport } from '../../lib/use-near-viewport'
import { venuePhotoQuery } from './api'
import styles from './venue-picture.module.css'

interface VenuePictureProps {
  placeId: string
  venueName: string
  /** The key that the browser may use; without one there is no map, but a photo. */
  mapsKey: string | null | undefined
}

/**
 * The place of an in-person event: a map where the site has a key for maps, else a photo. It lies
 * over the banner, which shows until the picture is there and stays if it never comes (spec §2, §4).
 */
export function VenuePicture({ placeId, venueName, mapsKey }: VenuePictureProps) {
  return mapsKey ? (
    <iframe
      className={styles.root}
      title={`Map of ${venueName}`}
      src={`https://www.google.com/maps/embed/v1/place?${new URLSearchParams({
        key: mapsKey,
        q: `place_id:${placeId}`,
      }).toString()}`}
      loading="lazy"
      referrerPolicy="strict-origin-when-cross-origin"
    />
  ) : (
    <VenuePhoto placeId={placeId} />
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

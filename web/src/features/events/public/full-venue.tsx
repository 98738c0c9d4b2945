import type { EventLocation } from '../../../api/types'
import { cityLine } from './event-facts'
import styles from './event-facts.module.css'

/** The venue with its full name and address. */
export function FullVenue({ location }: { location: EventLocation }) {
  const lines = [location.venueAddress, cityLine(location)].filter(Boolean)
  return (
    <>
      {location.venueName}
      {lines.length > 0 && (
        <address className={styles.address}>
          {lines.map((line) => (
            <span key={line} className={styles.line}>
              {line}
            </span>
          ))}
        </address>
      )}
    </>
  )
}

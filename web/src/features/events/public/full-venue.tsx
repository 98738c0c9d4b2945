import type { Venue } from '../../../api/types'
import { FittingText } from '../../../components/fitting-text'
import { cityLine } from './event-facts'
import styles from './event-facts.module.css'

/** The venue with its full name and address. */
export function FullVenue({ location }: { location: Venue }) {
  const lines = [location.venueAddress, cityLine(location)].filter(Boolean)
  return (
    <>
      <FittingText text={location.venueName} />
      {lines.length > 0 && (
        <address className={styles.address}>
          {lines.map((line) => (
            <span key={line} className={styles.line}>
              <FittingText text={line} />
            </span>
          ))}
        </address>
      )}
    </>
  )
}

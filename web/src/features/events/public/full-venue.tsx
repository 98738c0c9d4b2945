import type { Venue } from '../../../api/types'
import { FitText } from '../../../components/fit-text'
import { cityLine } from './event-facts'
import styles from './event-facts.module.css'

/** The venue with its full name and address. */
export function FullVenue({ location }: { location: Venue }) {
  const lines = [location.venueAddress, cityLine(location)].filter(Boolean)
  return (
    <>
      <FitText text={location.venueName} />
      {lines.length > 0 && (
        <address className={styles.address}>
          {lines.map((line) => (
            <span key={line} className={styles.line}>
              <FitText text={line} />
            </span>
          ))}
        </address>
      )}
    </>
  )
}

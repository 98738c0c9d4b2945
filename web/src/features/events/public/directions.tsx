import type { Venue } from '../../../api/types'
import { NewTabLink } from '../../../components/links'
import { buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import styles from './directions.module.css'

/** The maps query: venue name, city and state (spec §2, Directions). */
function mapLinks({ venueName, city, state }: Venue) {
  const query = encodeURIComponent([venueName, city, state].filter(Boolean).join(', '))
  return [
    {
      label: 'Open in Google Maps',
      href: `https://www.google.com/maps/search/?api=1&query=${query}`,
    },
    { label: 'Open in Apple Maps', href: `https://maps.apple.com/?q=${query}` },
  ]
}

/**
 * Directions to the venue: a disclosure of links to both maps; on phones both links side by side
 * (spec §2). The style sheet selects one, as the server does not know the width.
 */
export function Directions({ location }: { location: Venue }) {
  return (
    <div className={styles.root}>
      <MapDisclosure location={location} />
      <div className={styles.pair}>
        <MapLinks location={location} className={buttonClass({}, styles.half)} />
      </div>
    </div>
  )
}

/** Links to both maps that open below their button, without a script. */
export function MapDisclosure({ location }: { location: Venue }) {
  return (
    <details className={styles.disclosure}>
      <summary className={buttonClass({ size: 'small' })}>
        <Icon name="pin" /> Open in Maps
      </summary>
      <div className={styles.maps}>
        <MapLinks location={location} className={buttonClass({ size: 'small' })} />
      </div>
    </details>
  )
}

interface MapLinksProps {
  location: Venue
  className: string
}

/** The links to both maps. */
export function MapLinks({ location, className }: MapLinksProps) {
  return mapLinks(location).map(({ label, href }) => (
    <NewTabLink key={label} className={className} href={href}>
      {label}
    </NewTabLink>
  ))
}

import { useState } from 'react'
import type { EventLocation } from '../../../api/types'
import { Button, buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { NewTabLink } from '../../../components/ui/new-tab-link'
import { phoneQuery, useMediaQuery } from '../../../lib/use-media-query'
import styles from './directions.module.css'

/** The maps query: venue name, city and state (spec §2, Directions). */
export function mapLinks({ venueName, city, state }: EventLocation) {
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
 * Directions to the venue: one button that reveals links to both maps; on phones both links side by
 * side (spec §2).
 */
export function Directions({ location }: { location: EventLocation }) {
  const isPhone = useMediaQuery(phoneQuery)
  return (
    <div className={styles.root}>
      {isPhone ? <MapPair location={location} /> : <MapDisclosure location={location} />}
    </div>
  )
}

/** One button that reveals the links to both maps beside it. */
export function MapDisclosure({ location }: { location: EventLocation }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={styles.disclosure}>
      <Button
        size="dense"
        aria-expanded={isOpen}
        onClick={() => {
          setIsOpen(!isOpen)
        }}
      >
        <Icon name="pin" /> Open in Maps
      </Button>
      {isOpen &&
        mapLinks(location).map(({ label, href }) => (
          <NewTabLink key={label} className={buttonClass({ size: 'dense' })} href={href}>
            {label}
          </NewTabLink>
        ))}
    </div>
  )
}

function MapPair({ location }: { location: EventLocation }) {
  return (
    <div className={styles.pair}>
      {mapLinks(location).map(({ label, href }) => (
        <NewTabLink key={label} className={buttonClass({}, styles.half)} href={href}>
          {label}
        </NewTabLink>
      ))}
    </div>
  )
}

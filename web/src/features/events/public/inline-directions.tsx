import { useId } from 'react'
import type { EventLocation } from '../../../api/types'
import { Button, buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { NewTabLink } from '../../../components/ui/new-tab-link'
import { phoneQuery, useMediaQuery } from '../../../lib/use-media-query'
import { MapDisclosure, mapLinks } from './directions'
import styles from './inline-directions.module.css'

/** Directions among other facts: on phones both maps are in a popover (spec §2). */
export function InlineDirections({ location }: { location: EventLocation }) {
  const isPhone = useMediaQuery(phoneQuery)
  return isPhone ? (
    <MapPopover location={location} />
  ) : (
    <div className={styles.root}>
      <MapDisclosure location={location} />
    </div>
  )
}

function MapPopover({ location }: { location: EventLocation }) {
  const id = useId()
  return (
    <div className={styles.root}>
      <Button className={styles.opener} size="dense" popoverTarget={id}>
        <Icon name="pin" /> Get Directions
      </Button>
      <div className={styles.popover} id={id} popover="auto">
        {mapLinks(location).map(({ label, href }) => (
          <NewTabLink key={label} className={buttonClass({})} href={href}>
            {label}
          </NewTabLink>
        ))}
      </div>
    </div>
  )
}

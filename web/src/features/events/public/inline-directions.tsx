import { useId } from 'react'
import type { EventLocation } from '../../../api/types'
import { Button, buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { MapDisclosure, MapLinks } from './directions'
import styles from './inline-directions.module.css'

/**
 * Directions among other tools: a disclosure; on phones both maps are in a popover (spec §2). Both
 * work without scripts, and the style sheet selects one.
 */
export function InlineDirections({ location }: { location: EventLocation }) {
  const id = useId()
  return (
    <div className={styles.root}>
      <MapDisclosure location={location} />
      <Button className={styles.opener} size="small" popoverTarget={id}>
        <Icon name="pin" /> Get Directions
      </Button>
      <div className={styles.popover} id={id} popover="auto">
        <MapLinks location={location} className={buttonClass({})} />
      </div>
    </div>
  )
}

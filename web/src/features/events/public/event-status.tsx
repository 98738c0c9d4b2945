import { eventOver } from '../../../api/generated/contract'
import { classNames } from '../../../lib/class-names'
import type { EventState } from '../event-presentation'
import styles from './event-status.module.css'

interface EventStatusProps {
  state: EventState
  /** Whether it has a registration link, which stays after the event. */
  isOnline: boolean
}

/** Says that an event is in progress or over. */
export function EventStatus({ state, isOnline }: EventStatusProps) {
  if (state === 'upcoming') return null
  if (state === 'live') return <p className={classNames(styles.root, styles.live)}>Live now</p>
  return (
    <p className={styles.root}>
      {isOnline ? `${eventOver}. The link may lead to a recording.` : `${eventOver}.`}
    </p>
  )
}

import { classNames } from '../../../lib/class-names'
import { type EventState, stateLabels } from '../event-presentation'
import styles from './event-status.module.css'

interface EventStatusProps {
  state: EventState
  /** Whether it has a registration link, which stays after the event. */
  isOnline: boolean
}

/** Says that an event is in progress or over. */
export function EventStatus({ state, isOnline }: EventStatusProps) {
  const label = stateLabels[state]
  if (!label) return null
  if (state === 'live') return <p className={classNames(styles.root, styles.live)}>{label}</p>
  return (
    <p className={styles.root}>
      {isOnline ? `${label}. The link may lead to a recording.` : `${label}.`}
    </p>
  )
}

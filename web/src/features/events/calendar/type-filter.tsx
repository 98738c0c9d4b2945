import { eventTypes } from '../../../api/generated/contract'
import styles from './type-filter.module.css'

interface TypeFilterProps {
  type: string | null
  onType: (type: string | null) => void
}

/** Filters the calendar by event type (spec §2, /calendar). */
export function TypeFilter({ type, onType }: TypeFilterProps) {
  return (
    <select
      className={styles.root}
      aria-label="Event type"
      value={type ?? ''}
      onChange={(event) => {
        onType(event.target.value || null)
      }}
    >
      <option value="">All Events</option>
      {eventTypes.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  )
}

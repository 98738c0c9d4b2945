import { eventTypes } from '../../../api/generated/contract'
import { typeSlug } from '../event-presentation'
import { TypeIcon } from '../type-icon'
import styles from './legend.module.css'

/** The colour and icon of each event type (guide §6, Calendar card). */
export function Legend() {
  return (
    <ul className={styles.root} aria-label="Event types">
      {eventTypes.map((type) => (
        <li key={type} className={styles.type} data-type={typeSlug(type)}>
          <span className={styles.key}>
            <TypeIcon slug={typeSlug(type)} />
          </span>
          {type}
        </li>
      ))}
    </ul>
  )
}

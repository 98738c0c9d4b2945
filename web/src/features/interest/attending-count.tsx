import { classNames } from '../../lib/class-names'
import styles from './attending-count.module.css'

const windows = Array.from({ length: 16 }, (_, index) => index)

/**
 * The number of attendees: a small building with a lit window for each, up to sixteen, and the
 * count as text once it is loaded (spec §4).
 */
export function AttendingCount({ count }: { count: number | undefined }) {
  return (
    <p className={styles.root}>
      <span className={styles.building} aria-hidden="true">
        {windows.map((index) => (
          <i
            key={index}
            className={classNames(styles.window, index < (count ?? 0) && styles.lit)}
          />
        ))}
      </span>
      <span aria-live="polite">
        {count !== undefined && (
          <>
            <b className={styles.number}>{count}</b>
            {count === 1 ? ' investor attending' : ' investors attending'}
          </>
        )}
      </span>
    </p>
  )
}

import styles from './spinner.module.css'

/** A decorative loading ring, hidden from assistive technology. */
export function Spinner() {
  return <span className={styles.root} aria-hidden="true" />
}

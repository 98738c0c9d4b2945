import styles from './spinner.module.css'

/** A decorative loading ring; the text beside it says what is loading. */
export function Spinner() {
  return <span className={styles.root} aria-hidden="true" />
}

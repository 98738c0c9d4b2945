import styles from './spinner.module.css'

/** A turning ring; what is awaited stands beside it in words. */
export function Spinner() {
  return <span className={styles.root} aria-hidden="true" />
}

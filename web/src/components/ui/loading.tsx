import { classNames } from '../../lib/class-names'
import styles from './loading.module.css'

/**
 * A placeholder for loading content; its class gives it the content's shape. It is invisible for
 * the first 150 ms, in which most content loads (guide §7).
 */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span className={classNames(styles.skeleton, className)} aria-hidden="true" />
}

/** A decorative loading ring, hidden from assistive technology. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />
}

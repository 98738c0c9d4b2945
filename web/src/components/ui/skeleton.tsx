import { classNames } from '../../lib/class-names'
import styles from './skeleton.module.css'

/**
 * A placeholder for loading content; its class gives it the content's shape. It is invisible for
 * the first 150 ms, in which most content loads (guide §7).
 */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span className={classNames(styles.root, className)} aria-hidden="true" />
}

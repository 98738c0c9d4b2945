import { classNames } from '../../lib/class-names'
import styles from './skeleton.module.css'

/**
 * Holds the place of something that is loading; its class gives it that thing's shape. It is
 * invisible for the first 150ms, within which most things have arrived (guide §7).
 */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span className={classNames(styles.root, className)} aria-hidden="true" />
}

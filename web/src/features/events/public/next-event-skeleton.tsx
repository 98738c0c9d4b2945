import { Skeleton } from '../../../components/ui/skeleton'
import styles from './next-event-skeleton.module.css'

/** Placeholder for the card while the events load. */
export function NextEventSkeleton() {
  return (
    <div className={styles.root} aria-busy="true">
      <p className="visually-hidden">Loading events...</p>
      <Skeleton className={styles.art} />
      <div className={styles.body}>
        <Skeleton className={styles.label} />
        <Skeleton className={styles.title} />
        <Skeleton className={styles.title} />
        <Skeleton className={styles.fact} />
        <Skeleton className={styles.fact} />
        <Skeleton className={styles.text} />
        <Skeleton className={styles.action} />
      </div>
    </div>
  )
}

import { Skeleton } from '../../../components/ui/skeleton'
import { pageSize } from './event-filter'
import styles from './loading-cards.module.css'

/** Placeholders for the cards while the events load (guide §7). */
export function LoadingCards() {
  return (
    <div className={styles.root} aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading events...
      </p>
      <Skeleton className={styles.find} />
      <div className={styles.cards}>
        {Array.from({ length: pageSize }, (_, index) => (
          <Skeleton key={index} className={styles.card} />
        ))}
      </div>
    </div>
  )
}

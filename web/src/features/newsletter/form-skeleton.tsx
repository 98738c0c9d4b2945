import { Skeleton } from '../../components/ui/skeleton'
import styles from './embedded-form.module.css'

/** A placeholder of three fields (guide §6, Subscribe). */
export function FormSkeleton() {
  return (
    <div className={styles.fields} aria-busy="true">
      <p className="visually-hidden">Loading the form...</p>
      <Skeleton className={styles.field} />
      <Skeleton className={styles.field} />
      <Skeleton className={styles.field} />
    </div>
  )
}

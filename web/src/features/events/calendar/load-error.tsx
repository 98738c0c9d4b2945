import { Alert } from '../../../components/ui/alert'
import styles from './calendar-card.module.css'

interface LoadErrorProps {
  title?: string | undefined
  isOffline: boolean
  onRetry: () => void
}

/** An error in place of events that can't be loaded (guide §7). */
export function LoadError({ title = 'Unable to load events', isOffline, onRetry }: LoadErrorProps) {
  return (
    <div className={styles.problem}>
      {isOffline ? (
        <Alert title="You are offline">The events appear as soon as the connection is back.</Alert>
      ) : (
        <Alert title={title} onRetry={onRetry} />
      )}
    </div>
  )
}

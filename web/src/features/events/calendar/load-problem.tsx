import { Alert } from '../../../components/ui/alert'
import styles from './calendar-card.module.css'

interface LoadProblemProps {
  title?: string | undefined
  isOffline: boolean
  onRetry: () => void
}

/** The reason why the events can't be shown (guide §7). */
export function LoadProblem({
  title = 'Unable to load events',
  isOffline,
  onRetry,
}: LoadProblemProps) {
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

import { Alert } from '../../../components/ui/alert'
import styles from './load-problem.module.css'

interface LoadProblemProps {
  isOffline: boolean
  hasFailed: boolean
  onRetry: () => void
}

/** Says why there are no events to see: they are loading, or what is in the way (guide §7). */
export function LoadProblem({ isOffline, hasFailed, onRetry }: LoadProblemProps) {
  if (!isOffline && !hasFailed) {
    return (
      <p className="visually-hidden" role="status">
        Loading events...
      </p>
    )
  }
  return (
    <div className={styles.root}>
      {isOffline ? (
        <Alert title="You are offline" >
          The events appear as soon as the connection is back.
        </Alert>
      ) : (
        <Alert title="Unable to load events" onRetry={onRetry} />
      )}
    </div>
  )
}

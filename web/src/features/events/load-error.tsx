import { useState } from 'react'
import { failedRequestId } from '../../api/client'
import { Alert } from '../../components/ui/alert'
import styles from '../../components/ui/alert.module.css'

interface LoadErrorProps {
  isOffline: boolean
  onRetry: () => void
}

/** An error instead of events that can't be loaded (guide §7). */
export function LoadError({ isOffline, onRetry }: LoadErrorProps) {
  const [requestId] = useState(failedRequestId)
  return (
    <div className={styles.section}>
      {isOffline ? (
        <Alert title="You are offline">The events appear as soon as the connection is back.</Alert>
      ) : (
        <Alert title="Unable to load events" onRetry={onRetry}>
          {requestId && <span className={styles.requestId}>Request id: {requestId}</span>}
        </Alert>
      )}
    </div>
  )
}

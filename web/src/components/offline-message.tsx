import { useSyncExternalStore } from 'react'
import styles from './offline-message.module.css'

function subscribe(onChange: () => void) {
  const events = ['online', 'offline']
  for (const event of events) window.addEventListener(event, onChange)
  return () => {
    for (const event of events) window.removeEventListener(event, onChange)
  }
}

/** A message that the page may be outdated, while the browser is offline. */
export function OfflineMessage() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div className={styles.root} role="status">
      {!isOnline && (
        <p className={styles.note}>You are offline. What you see may have changed since.</p>
      )}
    </div>
  )
}

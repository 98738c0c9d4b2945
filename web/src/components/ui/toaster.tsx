import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { classNames } from '../../lib/class-names'
import { restoreFocus } from '../../lib/restore-focus'
import { Icon } from './icon'
import { dismissToast, resumeToast, type Toast, toastDuration, useToast } from './toast-store'
import styles from './toaster.module.css'

/** How long a toast with an action is shown, in milliseconds. */
const actionDuration = 10_000

/**
 * Shows toasts. The live regions are always rendered: screen readers would not announce a toast
 * that is added together with its region. Each dialog contains a toaster of its own.
 */
export function Toaster({ isInDialog = false }: { isInDialog?: boolean }) {
  const toast = useToast(isInDialog)
  useEffect(() => {
    if (!isInDialog) resumeToast()
  }, [isInDialog])
  const isDestructive = toast?.variant === 'destructive'

  return (
    <div className={classNames(styles.root, isInDialog && styles.inDialog)} data-toaster>
      <div role="status">{toast && !isDestructive && <Message key={toast.id} toast={toast} />}</div>
      <div role="alert">{toast && isDestructive && <Message key={toast.id} toast={toast} />}</div>
    </div>
  )
}

/** One toast. Hover or focus stops its timer, which restarts afterwards. */
function Message({ toast }: { toast: Toast }) {
  const [isHovered, setIsHovered] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  const isHeld = isHovered || isFocused
  const box = useRef<HTMLDivElement>(null)
  const duration = toast.remaining ?? (toast.action ? actionDuration : toastDuration)

  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => {
      dismissToast(toast.id)
    }, duration)
    return () => {
      clearTimeout(timer)
    }
  }, [isHeld, duration, toast.id])

  // A toast that closes while one of its buttons has the focus gives it back to the page.
  useLayoutEffect(() => {
    const toastBox = box.current
    return () => {
      if (toastBox?.contains(document.activeElement)) setTimeout(restoreFocus)
    }
  }, [])

  return (
    // The handlers only stop the timer.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={box}
      className={classNames(styles.toast, toast.variant === 'destructive' && styles.destructive)}
      onPointerEnter={() => {
        setIsHovered(true)
      }}
      onPointerLeave={() => {
        setIsHovered(false)
      }}
      onFocus={() => {
        setIsFocused(true)
      }}
      onBlur={() => {
        setIsFocused(false)
      }}
    >
      <p className={styles.message}>
        <b className={styles.title}>{toast.title}</b>
        {toast.description}
      </p>
      {toast.action}
      <button
        type="button"
        className={styles.dismiss}
        aria-label="Dismiss"
        onClick={() => {
          dismissToast(toast.id)
        }}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}

function subscribeToConnection(onChange: () => void) {
  const events = ['online', 'offline']
  for (const event of events) window.addEventListener(event, onChange)
  return () => {
    for (const event of events) window.removeEventListener(event, onChange)
  }
}

/** A message that the page may be outdated, while the browser is offline. */
export function OfflineMessage() {
  const isOnline = useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div className={styles.offline} role="status">
      {!isOnline && (
        <p className={styles.offlineText}>You are offline. What you see may have changed since.</p>
      )}
    </div>
  )
}

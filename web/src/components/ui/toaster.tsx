import { type RefObject, useEffect, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names'
import { Icon } from './icon'
import { dismissToast, resumeToast, type Toast, toastDuration, useToast } from './toast-store'
import styles from './toaster.module.css'

/** How long a toast with an action stays: time to read it, decide and reach it. */
const actionDuration = 10_000

/**
 * Shows toasts. The live regions are rendered before there is one, else screen readers would miss
 * the first.
 */
export function Toaster() {
  const toast = useToast()
  useEffect(resumeToast, [])
  const isDestructive = toast?.variant === 'destructive'

  return (
    <div className={styles.root}>
      <div role="status">{toast && !isDestructive && <Message key={toast.id} toast={toast} />}</div>
      <div role="alert">{toast && isDestructive && <Message key={toast.id} toast={toast} />}</div>
    </div>
  )
}

/** One toast. Hover or focus stops its timer, which then starts again. */
function Message({ toast }: { toast: Toast }) {
  const box = useRef<HTMLDivElement>(null)
  const isHeld = useIsHeld(box)
  const stay = toast.remaining ?? (toast.action ? actionDuration : toastDuration)

  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => {
      dismissToast(toast.id)
    }, stay)
    return () => {
      clearTimeout(timer)
    }
  }, [isHeld, stay, toast.id])

  return (
    <div
      ref={box}
      className={classNames(styles.toast, toast.variant === 'destructive' && styles.destructive)}
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

/** Whether the pointer or the focus is inside `box`. */
function useIsHeld(box: RefObject<HTMLElement | null>): boolean {
  const [isHovered, setIsHovered] = useState(false)
  const [isFocused, setIsFocused] = useState(false)

  useEffect(() => {
    const element = box.current
    if (!element) return
    const listeners = new AbortController()
    const on = (event: string, change: () => void) => {
      element.addEventListener(event, change, { signal: listeners.signal })
    }
    on('pointerenter', () => {
      setIsHovered(true)
    })
    on('pointerleave', () => {
      setIsHovered(false)
    })
    on('focusin', () => {
      setIsFocused(true)
    })
    on('focusout', () => {
      setIsFocused(false)
    })
    return () => {
      listeners.abort()
    }
  }, [box])

  return isHovered || isFocused
}

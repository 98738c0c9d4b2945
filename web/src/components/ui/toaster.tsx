import { type RefObject, useEffect, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names'
import { Icon } from './icon'
import { dismissToast, type Toast, useToast } from './toast-store'
import styles from './toaster.module.css'

/** How long a toast stays, in milliseconds, unless it is held (spec §8, §9). */
const duration = 3000
/** How long one stays that offers to do something: time to read it, decide and reach it. */
const actionDuration = 10_000

/**
 * Where toasts appear. The live regions are there from the start, else screen readers would miss
 * the first toast.
 */
export function Toaster() {
  const toast = useToast()
  const isDestructive = toast?.variant === 'destructive'

  return (
    <div className={styles.root}>
      <div role="status">{toast && !isDestructive && <Message key={toast.id} toast={toast} />}</div>
      <div role="alert">{toast && isDestructive && <Message key={toast.id} toast={toast} />}</div>
    </div>
  )
}

/** One toast. Pointing at it or focusing it holds it; it then gets its full time again. */
function Message({ toast }: { toast: Toast }) {
  const box = useRef<HTMLDivElement>(null)
  const isHeld = useIsHeld(box)
  const stay = toast.action ? actionDuration : duration

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
      <p className={styles.words}>
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

import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './alert.module.css'
import { Button } from './button'
import { Icon } from './icon'

interface AlertProps {
  title: string
  children?: ReactNode
  onRetry?: () => void
}

/** The element that has the focus of a removed `Try Again` until the next alert or another focus. */
let retrying: HTMLElement | null = null

/**
 * An error message in place of a region that can't be shown (guide §7). When another attempt
 * removes it with the focus, the focus stays in the region, and returns to the button if the
 * attempt fails.
 */
export function Alert({ title, children, onRetry }: AlertProps) {
  const box = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const alert = box.current
    if (!alert) return
    if (retrying === document.activeElement && retrying?.contains(alert)) {
      alert.querySelector('button')?.focus()
    }
    retrying = null
    return () => {
      if (!alert.contains(document.activeElement)) return
      const parents: HTMLElement[] = []
      for (let at = alert.parentElement; at; at = at.parentElement) parents.push(at)
      // After React has removed the alert, and perhaps its parents.
      queueMicrotask(() => {
        const region = parents.find(({ isConnected }) => isConnected)
        if (!region || region === document.body) return
        region.tabIndex = -1
        region.focus({ preventScroll: true })
        retrying = region
      })
    }
  }, [])

  return (
    <div ref={box} className={styles.root} role="alert">
      <Icon name="alert" />
      <div className={styles.message}>
        <b className={styles.title}>{title}</b>
        {children}
      </div>
      {onRetry && (
        <Button size="dense" onClick={onRetry}>
          Try Again
        </Button>
      )}
    </div>
  )
}

import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './alert.module.css'
import { Button } from './button'
import { Icon } from './icon'

interface AlertProps {
  title: string
  children?: ReactNode
  onRetry?: () => void
}

/** The region that was focused instead of a removed `Try Again`. */
let retrying: Element | undefined

/**
 * An error message instead of a region that can't be shown (guide §7). When another attempt
 * removes it with the focus, its section is focused, and its button again if the attempt fails.
 */
export function Alert({ title, children, onRetry }: AlertProps) {
  const box = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const alert = box.current
    const region = alert?.closest<HTMLElement>('section, main, dialog')
    if (!alert || !region) return
    if (retrying === region && document.activeElement === region) {
      alert.querySelector('button')?.focus()
    }
    retrying = undefined
    return () => {
      if (!alert.contains(document.activeElement)) return
      retrying = region
      // After React has removed the alert.
      queueMicrotask(() => {
        region.tabIndex = -1
        region.focus({ preventScroll: true })
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
        <Button size="small" onClick={onRetry}>
          Try Again
        </Button>
      )}
    </div>
  )
}

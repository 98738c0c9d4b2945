import type { ReactNode } from 'react'
import styles from './alert.module.css'
import { Button } from './button'
import { Icon } from './icon'

interface AlertProps {
  title: string
  children?: ReactNode
  onRetry?: () => void
}

/** An error message in place of a region that can't be shown (guide §7). */
export function Alert({ title, children, onRetry }: AlertProps) {
  return (
    <div className={styles.root} role="alert">
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

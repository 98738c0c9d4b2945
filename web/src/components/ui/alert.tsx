import type { ReactNode } from 'react'
import styles from './alert.module.css'
import { Button } from './button'
import { Icon } from './icon'

interface AlertProps {
  title: string
  children?: ReactNode
  onRetry?: () => void
}

/** Says in place of a region why it can't be shown (guide §7). */
export function Alert({ title, children, onRetry }: AlertProps) {
  return (
    <div className={styles.root} role="alert">
      <Icon name="alert" />
      <div className={styles.words}>
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

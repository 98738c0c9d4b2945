import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

const windows = Array.from({ length: 10 }, (_, index) => index)

interface EmptyStateProps {
  title: string
  /** An explanation or an action. */
  children?: ReactNode
}

/** An empty list: a façade with one lit window, and a message (guide §7). */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className={styles.root}>
      <span className={styles.facade} aria-hidden="true">
        {windows.map((window) => (
          <i key={window} className={styles.window} />
        ))}
      </span>
      <b className={styles.title}>{title}</b>
      {children}
    </div>
  )
}

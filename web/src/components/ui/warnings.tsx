import type { ReactNode } from 'react'
import { Icon } from './icon'
import styles from './warnings.module.css'

/**
 * Warnings about what a form would do. They don't prevent saving. The region is there without any, so
 * that screen readers announce the first.
 */
export function Warnings({ children }: { children: readonly ReactNode[] }) {
  return (
    <div className={styles.root} role="status">
      {children.map((warning, index) => (
        <p key={index} className={styles.warning}>
          <Icon name="alert" />
          <span>{warning}</span>
        </p>
      ))}
    </div>
  )
}

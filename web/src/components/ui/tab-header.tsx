import type { ReactNode } from 'react'
import styles from './tab-header.module.css'

interface TabHeaderProps {
  title: string
  /** The tab's actions. */
  children?: ReactNode
}

/** The heading of a tab of the portal, with its actions at the end of the row. */
export function TabHeader({ title, children }: TabHeaderProps) {
  return (
    <div className={styles.root}>
      <h1 className={styles.title} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  )
}

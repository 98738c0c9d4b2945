import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names'
import styles from './page-header.module.css'

interface PageHeaderProps {
  title: string
  children?: ReactNode
}

/** The header with the heading of a page without a hero (guide §6, /calendar). */
export function PageHeader({ title, children }: PageHeaderProps) {
  return (
    <div className={styles.root}>
      <div className={classNames('wrap', styles.inner)}>
        <h1 className={styles.title} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </div>
  )
}

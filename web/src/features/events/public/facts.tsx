import type { ReactNode } from 'react'
import { classNames } from '../../../lib/class-names'
import styles from './event-facts.module.css'

/** A list of an event's facts: date, time, venue (guide §6). */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.root}>{children}</dl>
}

interface FactProps {
  name: string
  children: ReactNode
  /** Text after a thin divider; below on phones. */
  more?: string | undefined
  className?: string | undefined
}

/** One line of the list. */
export function Fact({ name, children, more, className }: FactProps) {
  return (
    <div className={classNames(styles.fact, className)}>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value}>
        {children}
        {more && <span className={styles.alternate}>{more}</span>}
      </dd>
    </div>
  )
}

import type { ReactNode } from 'react'
import styles from './empty.module.css'

const windows = Array.from({ length: 10 }, (_, index) => index)

interface EmptyProps {
  /** The sentence that says what is not there. */
  title: string
  /** What else there is to say, or the one useful action. */
  children?: ReactNode
}

/** In place of a list without anything in it: a façade with one lit window (guide §7). */
export function Empty({ title, children }: EmptyProps) {
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

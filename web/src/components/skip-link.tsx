import type { ReactNode } from 'react'
import styles from './skip-link.module.css'

interface SkipLinkProps {
  href?: string
  children?: ReactNode
}

/** A stop of the Tab key that shows only then: past the header to `main`, if nothing else is said. */
export function SkipLink({ href = '#main', children = 'Skip to content' }: SkipLinkProps) {
  return (
    <a className={styles.root} href={href}>
      {children}
    </a>
  )
}

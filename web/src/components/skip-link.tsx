import type { ReactNode } from 'react'
import styles from './skip-link.module.css'

interface SkipLinkProps {
  href?: string
  children?: ReactNode
}

/** A skip link, visible on focus; by default it skips the header. */
export function SkipLink({ href = '#main', children = 'Skip to content' }: SkipLinkProps) {
  return (
    <a className={styles.root} href={href}>
      {children}
    </a>
  )
}

import type { ComponentProps } from 'react'

/** A link that leaves the site: it opens a new tab and says so (guide §9). */
export function NewTabLink({ children, ...props }: ComponentProps<'a'>) {
  return (
    <a target="_blank" rel="noopener" {...props}>
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  )
}

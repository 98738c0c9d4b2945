import type { ComponentProps } from 'react'

/** A link that opens in a new tab, as its accessible name states (guide §9). */
export function NewTabLink({ children, ...props }: ComponentProps<'a'>) {
  return (
    <a target="_blank" rel="noopener" {...props}>
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  )
}

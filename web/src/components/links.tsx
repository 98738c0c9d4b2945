import type { ComponentProps, MouseEvent } from 'react'
import { useHref, useLinkClickHandler } from 'react-router-dom'

interface SiteLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick'> {
  /** A path on this site. */
  to: string
}

/** A link to another route, without a page load. */
export function SiteLink({ to, ...props }: SiteLinkProps) {
  const href = useHref(to)
  const follow = useLinkClickHandler(to)
  // eslint-disable-next-line jsx-a11y/anchor-has-content -- The content is in `props`.
  return <a {...props} href={href} onClick={follow} />
}

/** Whether a click on a link opens it here, rather than in a new tab or window. */
export function isPlainClick(event: MouseEvent): boolean {
  return !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
}

/** A link that opens in a new tab, as its accessible name states (guide §9). */
export function NewTabLink({ children, ...props }: ComponentProps<'a'>) {
  return (
    <a target="_blank" rel="noopener" {...props}>
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  )
}

import type { ComponentProps } from 'react'
import { useHref, useLinkClickHandler } from 'react-router'

interface SiteLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick'> {
  /** A path on this site. */
  to: string
}

/** A link to another screen, without a page load. */
export function SiteLink({ to, ...props }: SiteLinkProps) {
  const href = useHref(to)
  const follow = useLinkClickHandler(to)
  // eslint-disable-next-line jsx-a11y/anchor-has-content -- The content is in `props`.
  return <a {...props} href={href} onClick={follow} />
}

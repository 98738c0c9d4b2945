import type { ComponentProps } from 'react'
import { useHref, useLinkClickHandler } from 'react-router'

interface SiteLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick'> {
  /** An address of this site. */
  to: string
}

/** A link to another screen, which is shown without loading a page. */
export function SiteLink({ to, ...props }: SiteLinkProps) {
  const href = useHref(to)
  const follow = useLinkClickHandler(to)
  // eslint-disable-next-line jsx-a11y/anchor-has-content -- What it says comes with `props`.
  return <a {...props} href={href} onClick={follow} />
}

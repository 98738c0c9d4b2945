import type { ReactNode } from 'react'
import { SiteLink } from './site-link'
import { classNames } from '../lib/class-names'
import { Logo } from './logo'
import styles from './site-header.module.css'

interface SiteHeaderProps {
  name: string
  logoUrl: string | null | undefined
  homeHref: string
  links: readonly { label: string; href: string }[]
  /** Where events are searched for; behind the links. */
  search: ReactNode
  /** What stands at the right end: the spinner while the user loads, then an admin's controls. */
  account: ReactNode
  /** Admins' controls take the place of the links and the name on phones. */
  hasControls: boolean
  /** Over a hero the header has no ground of its own. */
  isOverHero: boolean
}

/** The header of the public pages (spec §2, Home page). */
export function SiteHeader(props: SiteHeaderProps) {
  return (
    <header
      className={classNames(
        styles.root,
        props.isOverHero && styles.overHero,
        props.hasControls && styles.withControls,
      )}
    >
      <div className={classNames('wrap', styles.row)}>
        <Logo name={props.name} imageUrl={props.logoUrl} href={props.homeHref} />
        <nav className={styles.nav} aria-label="Main">
          {props.links.map(({ label, href }) => (
            <SiteLink key={href} className={styles.link} to={href}>
              {label}
            </SiteLink>
          ))}
          {props.search}
          {props.account}
        </nav>
      </div>
    </header>
  )
}

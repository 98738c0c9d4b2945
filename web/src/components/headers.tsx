import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names'
import { longWordClass } from './fit-text'
import { SiteLink } from './links'
import { Logo } from './logo'
import styles from './site-header.module.css'
import pageStyles from './page-header.module.css'

interface SiteHeaderProps {
  name: string
  logoUrl: string | null | undefined
  homeHref: string
  links: readonly { label: string; href: string }[]
  /** The search button, after the links. */
  search: ReactNode
  /** The spinner while the user loads, then an admin's controls; at the right end. */
  account: ReactNode
  /** Whether the header overlaps a hero and has no background of its own. */
  isOverHero: boolean
}

/** The header of the public pages (spec §2, Home page). */
export function SiteHeader(props: SiteHeaderProps) {
  return (
    <header className={classNames(styles.root, props.isOverHero && styles.overHero)}>
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

interface PageHeaderProps {
  title: string
  children?: ReactNode
}

/** The header with the heading of a page without a hero (guide §6, /calendar). */
export function PageHeader({ title, children }: PageHeaderProps) {
  return (
    <div className={pageStyles.root}>
      <div className={classNames('wrap', 'word-box', pageStyles.inner)}>
        <h1 className={classNames(pageStyles.title, longWordClass(title))} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </div>
  )
}

interface SkipLinkProps {
  href?: string
  children?: ReactNode
}

/** A skip link, visible on focus; by default it skips the header. */
export function SkipLink({ href = '#main', children = 'Skip to content' }: SkipLinkProps) {
  return (
    <a className={styles.skipLink} href={href}>
      {children}
    </a>
  )
}

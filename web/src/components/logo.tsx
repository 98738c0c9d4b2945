import { classNames } from '../lib/class-names'
import { SiteLink } from './links'
import styles from './logo.module.css'

interface LogoProps {
  name: string
  /** The company's logo; the built-in one for a company without a logo. */
  imageUrl: string | null | undefined
  href: string
  /** Uses the colors for dark backgrounds. */
  isOnDark?: boolean
  /** The accessible name; `<name>, home` by default. */
  label?: string
  /** Whether the link loads the page instead of routing in the browser. */
  isPageLoad?: boolean
}

/** The logo and the name as a link to the home page (spec §2). */
export function Logo({ name, imageUrl, href, isOnDark, label, isPageLoad = false }: LogoProps) {
  const link = {
    className: classNames(styles.root, isOnDark && styles.onDeep),
    'aria-label': label ?? `${name}, home`,
  }
  const mark = (
    <>
      {imageUrl ? (
        <img className={styles.mark} src={imageUrl} alt="" />
      ) : (
        <svg className={styles.mark} viewBox="0 0 38 38" aria-hidden="true" focusable="false">
          <path className={styles.background} d="M0 0h38v38H0z" />
          <path
            className={styles.arches}
            d="M6 31V15.5a6.5 6.5 0 0 1 13 0 6.5 6.5 0 0 1 13 0V31h-5.5V15.5a1 1 0 0 0-2 0V31h-11V15.5a1 1 0 0 0-2 0V31z"
          />
        </svg>
      )}
      <span className={styles.name}>{name}</span>
    </>
  )
  return isPageLoad ? (
    <a {...link} href={href}>
      {mark}
    </a>
  ) : (
    <SiteLink {...link} to={href}>
      {mark}
    </SiteLink>
  )
}

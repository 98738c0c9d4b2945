import type { CSSProperties } from 'react'
import type { Site } from '../../api/types'
import { SiteHeader } from '../../components/headers'
import { NoticeBar } from '../../components/notice-bar'
import { SiteFooter } from '../../components/site-footer'
import { buttonClass } from '../../components/ui/button'
import { classNames } from '../../lib/class-names'
import type { Accent } from './accent'
import styles from './site-preview.module.css'

interface SitePreviewProps {
  site: Site
  /** Colors that are not saved yet. */
  accents?: { light: Accent; dark: Accent }
}

const links = [
  { label: 'Calendar', href: '/#calendar' },
  { label: 'Subscribe', href: '/#subscribe' },
]

/** The frame of the public pages with these settings. It can't be used, and is not read aloud. */
export function SitePreview({ site, accents }: SitePreviewProps) {
  return (
    <div
      className={classNames(styles.root, accents && styles.unsaved)}
      style={accents && accentTokens(accents)}
      data-testid="site-preview"
      inert
    >
      {site.notice && <NoticeBar notice={site.notice} baseUrl={site.baseUrl} />}
      <SiteHeader
        name={site.name}
        logoUrl={site.logoUrl}
        homeHref="/"
        links={links}
        search={null}
        account={null}
        isOverHero={false}
      />
      <div className={styles.page}>
        <span className={buttonClass({ variant: 'primary' })}>Learn More</span>
      </div>
      <SiteFooter site={site} homeHref="/" />
    </div>
  )
}

/** The tokens that the style sheet of this component uses in the current theme. */
function accentTokens({ light, dark }: { light: Accent; dark: Accent }): CSSProperties {
  return {
    '--light-accent': light.color,
    '--light-text': light.text,
    '--dark-accent': dark.color,
    '--dark-text': dark.text,
  } as CSSProperties
}

import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { NoticeBar } from '../../components/notice-bar'
import { SiteFooter } from '../../components/site-footer'
import { SiteHeader, SkipLink } from '../../components/headers'
import { OfflineMessage, Toaster } from '../../components/ui/toaster'
import { SearchOpener } from '../../features/events/search/search-opener'
import { AccountControls } from '../../features/auth/account-controls'
import { useSignedInAttribute } from '../../features/auth/api'
import { useSite } from '../initial-data'
import { useScrollAndFocus } from '../navigation-effects'
import { paths } from '../paths'

const links = [
  { label: 'Calendar', href: paths.homeCalendar },
  { label: 'Subscribe', href: paths.homeNewsletter },
]

/** The layout of the public pages: header, route and footer. */
export function PublicLayout({ children }: { children: ReactNode }) {
  const site = useSite()
  useSignedInAttribute()
  const { pathname } = useLocation()
  useScrollAndFocus()

  return (
    <>
      <SkipLink />
      {site.notice && <NoticeBar notice={site.notice} baseUrl={site.baseUrl} />}
      <SiteHeader
        name={site.name}
        logoUrl={site.logoUrl}
        homeHref={paths.home}
        links={links}
        search={<SearchOpener href={`${paths.search}?q=`} />}
        account={<AccountControls adminHref={paths.admin} homeHref={paths.home} />}
        isOverHero={pathname === paths.home}
      />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter site={site} homeHref={paths.home} />
      <OfflineMessage />
      <Toaster />
    </>
  )
}

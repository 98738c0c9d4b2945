import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Site, User } from '../../api/types'
import { BackNavigationGuard, LeaveDialog } from '../../components/leave-dialog'
import { SkipLink } from '../../components/headers'
import { EmptyState } from '../../components/ui/empty-state'
import { Tabs, TabHeader } from '../../components/ui/tabs'
import { OfflineMessage, Toaster } from '../../components/ui/toaster'
import { AdminHeader } from '../../features/auth/admin-header'
import { SessionEndDialog } from '../../features/auth/session-end-dialog'
import { EmbedSnippet } from '../../features/embed/embed-snippet'
import { EventsTab } from '../../features/events/admin/events-tab'
import { isViewShown, tabViews, viewTitles } from '../../features/events/admin/tab-view'
import { ContentTab } from '../../features/page-content/admin/content-tab'
import { requestSignIn, useCurrentUser, useSessionState } from '../../features/auth/portal-session'
import { ServerProblems } from '../../features/server-problems/server-problems'
import { SettingsSection, useSavedSite } from '../../features/site-settings/settings-section'
import { speakersQuery } from '../../features/speakers/api'
import { NewSpeakerDialog } from '../../features/speakers/new-speaker-dialog'
import { SpeakersTab } from '../../features/speakers/speakers-tab'
import { UsersTab } from '../../features/users/users-tab'
import { VenueSearch } from '../../features/venue-search/venue-search'
import { useDoubleClickGuard } from '../../lib/double-clicks'
import { SavedInputOwner } from '../../lib/saved-input'
import { confirmBeforeLeaving, hasUnsavedChanges } from '../../lib/unsaved-changes'
import { EventVenueImage } from '../event-venue-image'
import { useSite } from '../initial-data'
import { useDocumentTitle } from '../navigation-effects'
import { paths } from '../paths'
import { RequireAdmin } from '../require-admin'

/** The admin portal (spec §2, /admin). */
export function AdminRoute() {
  return (
    <RequireAdmin>
      <BackNavigationGuard>
        <Portal />
      </BackNavigationGuard>
    </RequireAdmin>
  )
}

/** The portal's layout and the tab in the URL, by default Events. */
function Portal() {
  const [parameters, setParameters] = useSearchParams()
  const requested = parameters.get('tab')
  const selected = adminTabs.find(({ id }) => id === requested)?.id ?? defaultAdminTab
  const me = useCurrentUser()
  const site = useSite()
  const sessionState = useSessionState()
  const view = selected === 'events' && tabViews.find((view) => isViewShown(parameters, view))
  const label = view ? viewTitles[view] : (adminTabs.find(({ id }) => id === selected)?.label ?? '')
  // The server has one title for all tabs.
  useDocumentTitle(`${label} — Admin Portal`, { keepsServed: false })

  const select = (tab: AdminTab, how: 'press' | 'arrow') => {
    // The arrow keys only move the focus while there are unsaved changes.
    if (how === 'arrow' && hasUnsavedChanges()) return
    confirmBeforeLeaving(() => {
      setParameters(tab === defaultAdminTab ? {} : { tab }, { replace: how === 'arrow' })
    })
  }

  return (
    <AdminLayout>
      <ServerProblems tab={selected} />
      <Tabs label="Admin sections" tabs={adminTabs} selected={selected} onSelect={select}>
        <SavedInputOwner value={me?.id ?? null}>
          {panelOf(selected, sessionState === 'declined' ? null : me, site)}
        </SavedInputOwner>
      </Tabs>
    </AdminLayout>
  )
}

/** The header and the dialogs around every tab. */
function AdminLayout({ children }: { children: ReactNode }) {
  const { name, logoUrl } = useSavedSite(useSite())
  useDoubleClickGuard()
  return (
    <>
      <SkipLink />
      <AdminHeader siteName={name} logoUrl={logoUrl} homeHref={paths.home} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <LeaveDialog />
      <SessionEndDialog />
      <OfflineMessage />
      <Toaster />
    </>
  )
}

/** The panel of a tab. */
function panelOf(tab: AdminTab, me: User | null, site: Site): ReactNode {
  switch (tab) {
    case 'events':
      return <AdminEvents />
    case 'speakers':
      return <SpeakersTab />
    case 'users':
      return <UsersTab me={me} onSignIn={() => void requestSignIn()} />
    case 'cms':
      return (
        <ContentTab>
          <SettingsSection site={site} />
          <EmbedSnippet baseUrl={site.baseUrl} />
        </ContentTab>
      )
    case 'analytics':
      return <AnalyticsTab />
  }
}

/** The portal's tabs (spec §2, /admin), with their ids in the URL. */
export const adminTabs = [
  { id: 'events', label: 'Events' },
  { id: 'speakers', label: 'Speakers' },
  { id: 'users', label: 'Users' },
  { id: 'cms', label: 'Calendar CMS' },
  { id: 'analytics', label: 'Analytics' },
] as const

/** The id of a tab in the URL. */
export type AdminTab = (typeof adminTabs)[number]['id']

/** The tab if the URL has none. */
export const defaultAdminTab: AdminTab = 'events'

/** The Analytics tab, which is a placeholder (spec §1). */
export function AnalyticsTab() {
  return (
    <>
      <TabHeader title="Analytics" />
      <EmptyState title="Analytics dashboard coming soon." />
    </>
  )
}

/** The Events tab, with the speakers for its form and the venue search. */
export function AdminEvents() {
  const { baseUrl, mapsBrowserKey } = useSite()
  const { data, isError, isFetching, refetch } = useQuery(speakersQuery())
  return (
    <EventsTab
      siteUrl={baseUrl}
      speakers={{ all: data, hasFailed: isError && !isFetching, retry: () => void refetch() }}
      venueSearch={
        mapsBrowserKey
          ? (onPlace) => <VenueSearch mapsKey={mapsBrowserKey} onPlace={onPlace} />
          : undefined
      }
      venueImage={(location) => <EventVenueImage location={location} />}
      newSpeaker={(dialog) => <NewSpeakerDialog {...dialog} />}
    />
  )
}

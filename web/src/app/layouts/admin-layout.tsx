import type { ReactNode } from 'react'
import { LeaveDialog } from '../../components/leave-dialog'
import { SkipLink } from '../../components/links'
import { OfflineMessage } from '../../components/offline-message'
import { Toaster } from '../../components/ui/toaster'
import { AdminHeader } from '../../features/auth/admin-header'
import { SessionEndDialog } from '../../features/auth/session-end-dialog'
import { useSavedSite } from '../../features/site-settings/settings-section'
import { useSite } from '../initial-data'
import { paths } from '../paths'

/** The layout of the admin portal (spec §2, /admin). */
export function AdminLayout({ children }: { children: ReactNode }) {
  const { name, logoUrl } = useSavedSite(useSite())
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

import type { ReactNode } from 'react'
import { OfflineNote } from '../../components/offline-note'
import { SkipLink } from '../../components/skip-link'
import { Toaster } from '../../components/ui/toaster'
import { AdminHeader } from '../../features/session/admin-header'
import { useSite } from '../first-data'
import { paths } from '../paths'

/** The frame of the admin portal (spec §2, /admin). */
export function AdminLayout({ children }: { children: ReactNode }) {
  const { name } = useSite()
  return (
    <>
      <SkipLink />
      <AdminHeader siteName={name} homeHref={paths.home} />
      <main id="main" tabIndex={-1} className="wrap">
        {children}
      </main>
      <OfflineNote />
      <Toaster />
    </>
  )
}

import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { Tabs } from '../../components/ui/tabs'
import { AdminEvents } from './admin-events'
import { askBeforeLeaving, hasUnsavedWork } from '../../lib/leave-guard'
import { AdminLayout } from '../layouts/admin-layout'
import { RequireAdmin } from '../require-admin'
import { useDocumentTitle } from '../use-document-title'
import { type AdminTab, adminTabs, defaultAdminTab } from './admin-tabs'

/** The admin portal (spec §2, /admin). */
export function AdminRoute() {
  return (
    <RequireAdmin>
      <Portal />
    </RequireAdmin>
  )
}

/** The frame and the tab that the address names, which is Events where it names none. */
function Portal() {
  const [search, setSearch] = useSearchParams()
  const wanted = search.get('tab')
  const selected = adminTabs.find(({ id }) => id === wanted)?.id ?? defaultAdminTab
  const label = adminTabs.find(({ id }) => id === selected)?.label ?? ''
  useDocumentTitle(`${label} — Admin Portal`)

  const select = (tab: AdminTab, how: 'press' | 'arrow') => {
    // Going along the tabs with the arrow keys is no wish to leave unsaved work.
    if (how === 'arrow' && hasUnsavedWork()) return
    askBeforeLeaving(() => {
      setSearch(tab === defaultAdminTab ? {} : { tab }, { replace: how === 'arrow' })
    })
  }

  return (
    <AdminLayout>
      <Tabs label="Admin sections" tabs={adminTabs} selected={selected} onSelect={select}>
        {panels[selected]}
      </Tabs>
    </AdminLayout>
  )
}

const panels: Record<AdminTab, ReactNode> = {
  events: <AdminEvents />,
  speakers: null,
  users: null,
  cms: null,
  analytics: null,
}

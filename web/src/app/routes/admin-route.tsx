import { AdminLayout } from '../layouts/admin-layout'
import { RequireAdmin } from '../require-admin'
import { useDocumentTitle } from '../use-document-title'

/** The admin portal (spec §2, /admin). */
export function AdminRoute() {
  useDocumentTitle('Admin Portal')
  return (
    <RequireAdmin>
      <AdminLayout>
        <h1>Admin Portal</h1>
      </AdminLayout>
    </RequireAdmin>
  )
}

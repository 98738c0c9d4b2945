import { PageBand } from '../../components/page-band'
import { paths } from '../paths'
import { useDocumentTitle } from '../use-document-title'

/** Where admins sign in (spec §2, /admin/login). */
export function AdminLoginRoute() {
  useDocumentTitle('Admin Login')
  return (
    <main>
      <PageBand title="Admin Login">
        <p>Sign in to access the admin panel</p>
        <a href={paths.home}>← Back to Events</a>
      </PageBand>
    </main>
  )
}

import { useEffect } from 'react'
import { PageBand } from '../../components/page-band'
import { Spinner } from '../../components/ui/spinner'
import { useSession } from '../../features/session/api'
import { leavePage } from '../../lib/leave-page'
import { paths } from '../paths'
import { useDocumentTitle } from '../use-document-title'

/** Finds out who is signed in and sends admins on to the portal, others to sign in (spec §4). */
export function AuthRoute() {
  const { user, isLoading } = useSession()
  useDocumentTitle('Checking authentication')

  useEffect(() => {
    if (!isLoading) leavePage(user ? paths.admin : paths.adminLogin)
  }, [user, isLoading])

  return (
    <PageBand title="Checking authentication...">
      <Spinner />
    </PageBand>
  )
}

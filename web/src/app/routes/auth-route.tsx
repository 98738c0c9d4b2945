import { useEffect } from 'react'
import { loadPage } from '../../lib/load-page'
import { Spinner } from '../../components/ui/loading'
import { useSession } from '../../features/auth/api'
import { SignInLayout } from '../layouts/sign-in-layout'
import { useDocumentTitle } from '../navigation-effects'
import { paths } from '../paths'

/** Redirects signed-in users to the portal and others to the sign-in page (spec §4). */
export function AuthRoute() {
  const { user, isLoading } = useSession({ mustFetch: true })
  useDocumentTitle('Checking authentication')

  useEffect(() => {
    if (!isLoading) loadPage(user ? paths.admin : paths.adminLogin, 'replace')
  }, [user, isLoading])

  return (
    <SignInLayout title="Checking authentication...">
      <Spinner />
    </SignInLayout>
  )
}

import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { SiteLink } from '../../components/links'
import { loadPage } from '../../lib/load-page'
import { Spinner } from '../../components/ui/loading'
import { hasSignInHint, useSession } from '../../features/auth/api'
import { safeNext } from '../../features/auth/sign-in'
import { SignInForm } from '../../features/auth/sign-in-form'
import { useSite } from '../initial-data'
import { SignInLayout } from '../layouts/sign-in-layout'
import { useDocumentTitle } from '../navigation-effects'
import { paths } from '../paths'
import styles from './sign-in-pages.module.css'

/** The sign-in page; redirects a signed-in admin to the portal (spec §2). */
export function AdminLoginRoute() {
  const { replitLogin, needsAdmin } = useSite()
  const [parameters] = useSearchParams()
  const { isAdmin, isLoading } = useSession({ mustFetch: true })
  const isFromReplit = parameters.get('from') === 'replit'
  const target = isFromReplit
    ? paths.authSuccess
    : safeNext(parameters.get('next'), paths.admin, paths.adminLogin)
  useDocumentTitle('Admin Login')

  const redirect = useCallback(() => {
    loadPage(target, 'replace')
  }, [target])

  useEffect(() => {
    if (isAdmin) redirect()
  }, [isAdmin, redirect])

  // No form flashes before the redirect of a user who is probably signed in.
  const isRedirecting = isAdmin || (isLoading && hasSignInHint())
  return (
    <SignInLayout title="Admin Login">
      <p className={styles.text}>Sign in to access the admin panel</p>
      {isFromReplit && !replitLogin && (
        <p className={styles.message}>Replit sign-in is turned off on this site</p>
      )}
      {needsAdmin && <FirstAccountMessage />}
      {isRedirecting ? <Spinner /> : <SignInForm onSignedIn={redirect} />}
      <SiteLink className={styles.back} to={paths.home}>
        ← Back to Events
      </SiteLink>
    </SignInLayout>
  )
}

/** Says how to create the first account, which only the operator of the server can do. */
function FirstAccountMessage() {
  return (
    <div className={styles.message} role="note">
      <p>This site has no account yet. Create the first one on its server:</p>
      <pre className={styles.command}>
        <code>lectern create-admin --email you@example.com</code>
      </pre>
      <p>Run it as root or as the user who runs lectern, then reload this page.</p>
    </div>
  )
}

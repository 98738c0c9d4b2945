import { useEffect } from 'react'
import { loadPage } from '../../lib/load-page'
import { buttonClass } from '../../components/ui/button'
import { Spinner } from '../../components/ui/loading'
import { closePopup } from '../../features/auth/popup'
import { useSignInPoll } from '../../features/auth/use-sign-in-poll'
import { SignInLayout } from '../layouts/sign-in-layout'
import { useDocumentTitle } from '../navigation-effects'
import { paths } from '../paths'
import styles from './sign-in-pages.module.css'

/**
 * The last page of an external sign-in: polls for the session, then closes its popup, or redirects
 * to the portal if it is not in a popup (spec §2, /auth-success).
 */
export function AuthSuccessRoute() {
  const outcome = useSignInPoll()
  useDocumentTitle('Completing Authentication')

  useEffect(() => {
    if (outcome === 'found' && !closePopup()) loadPage(paths.admin, 'replace')
  }, [outcome])

  return (
    <SignInLayout title="Completing Authentication...">
      <div role="status">
        {outcome === 'timed-out' ? (
          <p className={styles.text}>
            This takes longer than it should. You may be signed in already.
          </p>
        ) : (
          <>
            <span className="visually-hidden">Please wait</span>
            <Spinner />
          </>
        )}
      </div>
      {outcome === 'timed-out' && (
        <div className={styles.actions}>
          <a className={buttonClass({ variant: 'primary' })} href={paths.admin}>
            Go to Admin
          </a>
          <p className={styles.text}>
            or <a href={paths.adminLogin}>try again</a>
          </p>
        </div>
      )}
    </SignInLayout>
  )
}

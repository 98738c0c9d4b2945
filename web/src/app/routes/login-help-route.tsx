import { useEffect } from 'react'
import { SiteLink } from '../../components/links'
import { loadPage } from '../../lib/load-page'
import { Button, buttonClass } from '../../components/ui/button'
import { useSession } from '../../features/auth/api'
import { useSignInPopup } from '../../features/auth/popup'
import { classNames } from '../../lib/class-names'
import { SignInLayout } from '../layouts/sign-in-layout'
import { useDocumentTitle } from '../navigation-effects'
import { paths } from '../paths'
import styles from './sign-in-pages.module.css'

/** Sign-in through a popup; redirects to the portal once an admin is signed in (spec §2). */
export function LoginHelpRoute() {
  const { isAdmin } = useSession({ mustFetch: true })
  const { open, isOpen } = useSignInPopup(paths.replit)
  useDocumentTitle('Login Help')

  useEffect(() => {
    if (isAdmin) loadPage(paths.admin, 'replace')
  }, [isAdmin])

  return (
    <SignInLayout title="Login Help">
      <p className={styles.text}>Is signing in not working as it should? Here is another way.</p>
      <div className={styles.actions}>
        <Button variant="primary" onClick={open}>
          Login with Replit
        </Button>
        <a className={buttonClass({})} href={paths.admin}>
          Go to Admin
        </a>
      </div>
      <p role="status" className={classNames(styles.text, styles.status)}>
        {isOpen && 'Please sign in in the window that has opened.'}
      </p>
      <ul className={styles.notes}>
        <li>
          Login with Replit opens a small window. If none appears, allow popups for this site.
        </li>
        <li>When you have signed in, that window closes and this page goes on to the portal.</li>
        <li>Accounts are created by the operator of this site; you can’t sign up here.</li>
      </ul>
      <SiteLink className={styles.back} to={paths.home}>
        Back to Events
      </SiteLink>
    </SignInLayout>
  )
}

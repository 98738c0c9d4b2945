import { Button, buttonClass } from '../../components/ui/button'
import { Spinner } from '../../components/ui/loading'
import styles from './account-controls.module.css'
import { useSignOut, useSession } from './api'

interface AccountControlsProps {
  adminHref: string
  homeHref: string
}

/**
 * A spinner while the user loads, then `Admin Portal` and `Logout` for admins and nothing for
 * visitors (spec §2, Header), without a layout shift: where an admin has signed in, the page as served
 * reserves the space (`data-signed-in`, set by `early_clicks.js`).
 */
export function AccountControls({ adminHref, homeHref }: AccountControlsProps) {
  const { isLoading, isAdmin } = useSession()
  return (
    <span className={styles.root}>
      {isLoading && (
        <span className={styles.loading}>
          <Spinner />
          <span className="visually-hidden">Loading...</span>
        </span>
      )}
      {isAdmin && (
        <>
          <a className={buttonClass({ size: 'small' }, styles.portal)} href={adminHref}>
            Admin Portal
          </a>
          <SignOutButton className={styles.signOut} homeHref={homeHref} />
        </>
      )}
    </span>
  )
}

interface SignOutButtonProps {
  className: string | undefined
  homeHref: string
  /** Asks for confirmation if work would be lost. */
  guard?: (leave: () => void) => void
}

/** Signs out and opens the home page; both headers show it to admins (spec §2, §4). */
export function SignOutButton({ className, homeHref, guard }: SignOutButtonProps) {
  const { mutate: signOut, isPending } = useSignOut(homeHref)
  return (
    <Button
      className={className}
      variant="ghost"
      size="small"
      disabled={isPending}
      onClick={() => {
        if (guard) guard(signOut)
        else signOut()
      }}
    >
      Logout
    </Button>
  )
}

import { Button, buttonClass } from '../../components/ui/button'
import { Spinner } from '../../components/ui/loading'
import { classNames } from '../../lib/class-names'
import styles from './account-controls.module.css'
import { useSignOut, useSession } from './api'

interface AccountControlsProps {
  adminHref: string
  homeHref: string
}

/**
 * A spinner while the user loads, then `Admin Portal` and `Logout` for admins and nothing for
 * visitors (spec §2, Header), without a layout shift.
 */
export function AccountControls({ adminHref, homeHref }: AccountControlsProps) {
  const { isLoading, isAdmin, wasAdmin } = useSession()

  if (isLoading) {
    return (
      <span className={classNames(styles.loading, wasAdmin && styles.reserved)}>
        <Spinner />
        <span className="visually-hidden">Loading...</span>
      </span>
    )
  }
  if (!isAdmin) return null
  return (
    <>
      <a className={buttonClass({ size: 'small' }, styles.portal)} href={adminHref}>
        Admin Portal
      </a>
      <SignOutButton className={styles.signOut} homeHref={homeHref} />
    </>
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

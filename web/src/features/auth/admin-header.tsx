import { useState } from 'react'
import { Logo } from '../../components/logo'
import { AdminIcon } from '../../components/ui/admin-icon'
import { Button, buttonClass } from '../../components/ui/button'
import { classNames } from '../../lib/class-names'
import { confirmBeforeLeaving } from '../../lib/unsaved-changes'
import { SignOutButton } from './account-controls'
import { AccountDialog } from './account-dialog'
import styles from './admin-header.module.css'

interface AdminHeaderProps {
  siteName: string
  logoUrl: string | null | undefined
  homeHref: string
}

/** The portal's header, with links to the calendar and to sign out (spec §2, /admin), and the own account. */
export function AdminHeader({ siteName, logoUrl, homeHref }: AdminHeaderProps) {
  const [isAccountOpen, setIsAccountOpen] = useState(false)
  return (
    <>
      <header className={classNames(styles.root, 'on-deep')}>
        <div className={classNames('wrap', styles.row)}>
          <span className={styles.brand}>
            <Logo
              name="Admin Portal"
              label={`Admin Portal of ${siteName}, to the calendar`}
              imageUrl={logoUrl}
              href={homeHref}
              isOnDark
              isPageLoad
            />
          </span>
          <a
            className={buttonClass({ variant: 'ghost', size: 'small' }, styles.action)}
            href={homeHref}
          >
            <AdminIcon name="calendar" />
            View Calendar
          </a>
          <Button
            variant="ghost"
            size="small"
            className={styles.action}
            aria-haspopup="dialog"
            onClick={() => {
              setIsAccountOpen(true)
            }}
          >
            <AdminIcon name="account" />
            <span className={styles.account}>Account</span>
          </Button>
          <SignOutButton
            className={styles.action}
            homeHref={homeHref}
            guard={confirmBeforeLeaving}
          />
        </div>
      </header>
      {isAccountOpen && (
        <AccountDialog
          onClose={() => {
            setIsAccountOpen(false)
          }}
        />
      )}
    </>
  )
}

import { buttonClass } from '../../components/ui/button'
import { classNames } from '../../lib/class-names'
import styles from './admin-header.module.css'
import { LogoutButton } from './logout-button'

/** The portal's header: the way back to the calendar, and out (spec §2, /admin). */
export function AdminHeader({ siteName, homeHref }: { siteName: string; homeHref: string }) {
  return (
    <header className={classNames(styles.root, 'on-deep')}>
      <div className={classNames('wrap', styles.row)}>
        <span className={styles.name}>{siteName}</span>
        <a className={buttonClass({ look: 'quiet', size: 'dense' }, styles.action)} href={homeHref}>
          View Calendar
        </a>
        <LogoutButton className={styles.action} homeHref={homeHref} />
      </div>
    </header>
  )
}

import type { CalendarEvent } from '../../../api/types'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Button, buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { showError, showToast } from '../../../components/ui/toast-store'
import { copyText } from '../../../lib/copy-text'
import styles from './public-links.module.css'

interface PublicLinksProps {
  event: Pick<CalendarEvent, 'title' | 'path'>
  /** The public URL of the site. */
  siteUrl: string
}

/** The public page of an event: opens it, and copies its URL. */
export function PublicLinks({ event: { title, path }, siteUrl }: PublicLinksProps) {
  const url = siteUrl + path
  return (
    <span className={styles.root}>
      <Button
        variant="ghost"
        size="small"
        className={styles.icon}
        aria-label={`Copy link to ${title}`}
        title="Copy link"
        onClick={() => {
          void copyText(url).then((isCopied) => {
            if (isCopied) showToast({ title: 'Success', description: 'Link copied' })
            else showError(`Your browser did not copy the link: ${url}`)
          })
        }}
      >
        <AdminIcon name="link" />
      </Button>
      <a
        className={buttonClass({ variant: 'ghost', size: 'small' }, styles.icon)}
        href={path}
        target="_blank"
        rel="noopener"
        aria-label={`Open the page of ${title} (opens in a new tab)`}
        title="Open the page"
      >
        <Icon name="leave" />
      </a>
    </span>
  )
}

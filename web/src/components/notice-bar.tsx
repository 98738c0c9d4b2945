import type { Site } from '../api/types'
import { classNames } from '../lib/class-names'
import { writeStored } from '../lib/storage'
import { NewTabLink } from './links'
import styles from './notice-bar.module.css'
import { Icon } from './ui/icon'

interface NoticeBarProps {
  notice: NonNullable<Site['notice']>
  /** The public URL of the site, whose pages open in the same tab. */
  baseUrl: string
}

/**
 * A notice above the header, until the visitor dismisses it. It is always in the markup, and a style
 * hides it, so that nothing moves after the first paint.
 */
export function NoticeBar({ notice: { id, text, link }, baseUrl }: NoticeBarProps) {
  const target = link && { className: styles.link, href: link.url, children: link.label }
  return (
    <aside className={classNames(styles.root, 'on-deep')} aria-label="Notice">
      <div className={classNames('wrap', styles.row)}>
        <p className={styles.text}>
          {text}{' '}
          {target &&
            (`${target.href}/`.startsWith(`${baseUrl}/`) ? (
              <a {...target}>{target.children}</a>
            ) : (
              <NewTabLink {...target} />
            ))}
        </p>
        <button
          type="button"
          className={styles.dismiss}
          aria-label="Dismiss this notice"
          onClick={() => {
            writeStored('lectern.notice', id)
            document.documentElement.dataset.notice = 'dismissed'
            document.getElementById('main')?.focus({ preventScroll: true })
          }}
        >
          <Icon name="close" />
        </button>
      </div>
    </aside>
  )
}

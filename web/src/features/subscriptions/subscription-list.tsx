import { useState } from 'react'
import { NewTabLink } from '../../components/links'
import { buttonClass } from '../../components/ui/button'
import { copyText } from '../../lib/copy-text'
import { googleNote, subscriptionLinks } from './subscription-links'
import styles from './subscription-list.module.css'

interface SubscriptionListProps {
  baseUrl: string
  siteName: string
}

/** The calendar's subscriptions, shown instead of a newsletter form. */
export function SubscriptionList({ baseUrl, siteName }: SubscriptionListProps) {
  const links = subscriptionLinks(baseUrl, siteName, null)
  const className = buttonClass({}, styles.link)
  return (
    <div className={styles.root}>
      <p className={styles.text}>
        Follow the calendar where you keep your own: new events appear there by themselves.
      </p>
      <ul className={styles.links} aria-label="Subscribe with">
        <li>
          <a className={className} href={links.apple}>
            Apple Calendar
          </a>
        </li>
        <li>
          <NewTabLink className={className} href={links.google}>
            Google Calendar
          </NewTabLink>
        </li>
        <li>
          <NewTabLink className={className} href={links.outlook}>
            Outlook.com
          </NewTabLink>
        </li>
        <li className={styles.copy}>
          <CopyUrl className={className} url={links.url} />
        </li>
      </ul>
      <p className={styles.note}>
        {googleNote} There is also a{' '}
        <a href={links.feed} type="application/atom+xml">
          feed of new events
        </a>
        .
      </p>
    </div>
  )
}

interface CopyUrlProps {
  className: string | undefined
  url: string
}

/** Copies the calendar's URL and confirms it; if it can't, it shows the URL. */
export function CopyUrl({ className, url }: CopyUrlProps) {
  const [status, setStatus] = useState('')
  return (
    <button
      type="button"
      className={className}
      onClick={() => {
        void copyText(url).then((isCopied) => {
          setStatus(isCopied ? 'Link copied' : url)
        })
      }}
    >
      <span hidden={status !== ''}>Copy the link</span>
      <span role="status">{status}</span>
    </button>
  )
}

import { buttonClass } from '../../components/ui/button'
import { NewTabLink } from '../../components/ui/new-tab-link'
import { CopyAddress } from './copy-address'
import { googleNote, subscriptionLinks } from './subscription-links'
import styles from './subscription-list.module.css'

interface SubscriptionListProps {
  baseUrl: string
  siteName: string
}

/** The calendar's subscriptions, shown if no newsletter form is configured (issue 5). */
export function SubscriptionList({ baseUrl, siteName }: SubscriptionListProps) {
  const links = subscriptionLinks(baseUrl, siteName, null)
  const look = buttonClass({}, styles.link)
  return (
    <div className={styles.root}>
      <p className={styles.text}>
        Follow the calendar where you keep your own: new events appear there by themselves.
      </p>
      <ul className={styles.links} aria-label="Subscribe with">
        <li>
          <a className={look} href={links.apple}>
            Apple Calendar
          </a>
        </li>
        <li>
          <NewTabLink className={look} href={links.google}>
            Google Calendar
          </NewTabLink>
        </li>
        <li>
          <NewTabLink className={look} href={links.outlook}>
            Outlook.com
          </NewTabLink>
        </li>
        <li>
          <CopyAddress className={look} address={links.address} />
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

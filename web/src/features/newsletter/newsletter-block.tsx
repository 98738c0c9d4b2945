import type { ReactNode } from 'react'
import type { Site } from '../../api/types'
import { classNames } from '../../lib/class-names'
import { EmbeddedForm } from './embedded-form'
import styles from './newsletter-block.module.css'

interface NewsletterBlockProps {
  /** The provider's form; null if none is configured. */
  form: Site['subscribe']
  /** The email address to show without a form; may be blank. */
  email: string
  /** Other subscriptions, shown without a form, and if its code can't run. */
  subscriptions: ReactNode
}

/** The newsletter section: an image and the configured form (spec §2, Home page). */
export function NewsletterBlock({ form, email, subscriptions }: NewsletterBlockProps) {
  const otherContent = (
    <>
      {subscriptions}
      {email && <ByMail email={email} />}
    </>
  )
  return (
    <section id="subscribe" className={styles.root} aria-labelledby="subscribe-title">
      <div className="wrap wrap-flush">
        <div className={styles.block}>
          <div className={classNames(styles.art, 'on-art')}>
            <img className={styles.image} src="/art/subscribe.svg" alt="" loading="lazy" />
            <div className={styles.text}>
              <h2 id="subscribe-title">Don&apos;t Miss Upcoming Events</h2>
              <p className={styles.subtitle}>Subscribe to Hear About New Events</p>
            </div>
          </div>
          {form ? (
            <EmbeddedForm
              scriptUrl={form.scriptUrl}
              containerId={form.containerId}
              attributes={form.attributes}
              fallback={otherContent}
            />
          ) : (
            <div className={styles.subscriptions}>{otherContent}</div>
          )}
        </div>
      </div>
    </section>
  )
}

/** A mail link, if an address is configured. */
function ByMail({ email }: { email: string }) {
  return (
    <p className={styles.mail}>
      You would rather have mail?{' '}
      <a href={`mailto:${email}?subject=${encodeURIComponent('New events')}`}>
        Ask to be told about new events
      </a>
    </p>
  )
}

import type { Site } from '../../api/types'
import { buttonClass } from '../../components/ui/button'
import { classNames } from '../../lib/class-names'
import { EmbeddedForm } from './embedded-form'
import styles from './subscribe-block.module.css'

interface SubscribeBlockProps {
  /** The provider's form; null where none is configured. */
  form: Site['subscribe']
  /** Whom to write to where there is no form; may be blank. */
  email: string
}

/** How to hear about new events: a picture and the configured form (spec §2, Home page). */
export function SubscribeBlock({ form, email }: SubscribeBlockProps) {
  return (
    <section id="subscribe" className={styles.root} aria-labelledby="subscribe-title">
      <div className="wrap wrap-flush">
        <div className={styles.block}>
          <div className={classNames(styles.art, 'on-art')}>
            <img className={styles.picture} src="/art/subscribe.svg" alt="" loading="lazy" />
            <div className={styles.words}>
              <h2 id="subscribe-title">Don&apos;t Miss Upcoming Events</h2>
              <p className={styles.subtitle}>Subscribe to Hear About New Events</p>
            </div>
          </div>
          {form ? (
            <EmbeddedForm
              scriptUrl={form.scriptUrl}
              containerId={form.containerId}
              attributes={form.attributes}
            />
          ) : (
            <ByMail email={email} />
          )}
        </div>
      </div>
    </section>
  )
}

/** What is offered where there is no form: a letter, where there is an address for it. */
function ByMail({ email }: { email: string }) {
  return (
    <div className={styles.mail}>
      <p className={styles.text}>
        New events appear on this calendar as soon as they are planned.
        {email && ' Write to us and we will tell you about them.'}
      </p>
      {email && (
        <>
          <a
            className={buttonClass({ look: 'primary' })}
            href={`mailto:${email}?subject=${encodeURIComponent('New events')}`}
          >
            Ask to be told about new events
          </a>
          <p className={styles.address}>{email}</p>
        </>
      )}
    </div>
  )
}

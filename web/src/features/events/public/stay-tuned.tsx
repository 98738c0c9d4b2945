import { useId } from 'react'
import { buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { NewTabLink } from '../../../components/ui/new-tab-link'
import styles from './stay-tuned.module.css'

/** Replaces the card while there is no upcoming event (spec §2, Next Event card). */
export function StayTuned({ learnMoreUrl }: { learnMoreUrl: string }) {
  const headingId = useId()
  return (
    <section className={styles.root} aria-labelledby={headingId}>
      <h2 id={headingId}>Stay Tuned for Upcoming Events</h2>
      <div className={styles.body}>
        <p className={styles.text}>
          We’re planning the next series of real estate investment discussions and networking
          events. Check back soon.
        </p>
        <NewTabLink className={buttonClass({ variant: 'primary' }, styles.more)} href={learnMoreUrl}>
          Learn More <Icon name="leave" />
        </NewTabLink>
      </div>
    </section>
  )
}

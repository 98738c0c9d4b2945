import { Button } from '../components/ui/button'
import { classNames } from '../lib/class-names'
import styles from './error-page.module.css'

/**
 * The page for an application that can't start (spec §8). It needs nothing of what may be broken:
 * no data, no other part of the site.
 */
export function ErrorPage() {
  return (
    <main className={styles.root}>
      <div className={styles.card} role="alert">
        <h1 className={styles.title}>Application Error</h1>
        <p>Sorry, there was a problem starting the application. Please try again later.</p>
        <Button
          look="primary"
          onClick={() => {
            location.reload()
          }}
        >
          Try Again
        </Button>
      </div>
      <img
        className={classNames(styles.street, 'day-only')}
        src="/art/hero-skyline-day.svg"
        alt=""
      />
      <img
        className={classNames(styles.street, 'night-only')}
        src="/art/hero-skyline-night.svg"
        alt=""
      />
    </main>
  )
}

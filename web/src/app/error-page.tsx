import { Button } from '../components/ui/button'
import { Skyline } from '../features/page-content/skyline'
import styles from './error-page.module.css'

/**
 * The page for an application that can't start (spec §8). It needs no data, which may be what is
 * broken.
 */
export function ErrorPage() {
  return (
    <main className={styles.root}>
      <div className={styles.card} role="alert">
        <h1 className={styles.title}>Application Error</h1>
        <p>Sorry, there was a problem starting the application. Please try again later.</p>
        <Button
          variant="primary"
          onClick={() => {
            location.reload()
          }}
        >
          Try Again
        </Button>
      </div>
      <Skyline />
    </main>
  )
}

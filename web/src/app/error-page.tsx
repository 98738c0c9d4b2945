import styles from './error-page.module.css'

/** The page for an application that can't start (spec §8). */
export function ErrorPage() {
  return (
    <main className={styles.root}>
      <h1 className={styles.title}>Application Error</h1>
      <p>Sorry, there was a problem starting the application. Please try again later.</p>
    </main>
  )
}

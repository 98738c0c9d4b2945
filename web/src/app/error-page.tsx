import { Component, type ErrorInfo, type ReactNode } from 'react'
import { failedRequestId } from '../api/client'
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
        {failedRequestId && <p className={styles.request}>Request id: {failedRequestId}</p>}
      </div>
      <Skyline />
    </main>
  )
}

/** Shows the error page if rendering fails. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(error: Error, { componentStack }: ErrorInfo) {
    console.warn(`Rendering failed${componentStack ?? ''}`, error)
  }

  override render() {
    return this.state.hasFailed ? <ErrorPage /> : this.props.children
  }
}

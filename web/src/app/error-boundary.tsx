import { Component, type ErrorInfo, type ReactNode } from 'react'
import { logWarning } from '../lib/log-warning'
import { ErrorPage } from './error-page'

/** Shows the error page if rendering fails. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(error: Error, { componentStack }: ErrorInfo) {
    logWarning(`Rendering failed${componentStack ?? ''}`, error)
  }

  override render() {
    return this.state.hasFailed ? <ErrorPage /> : this.props.children
  }
}

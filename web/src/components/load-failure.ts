import { useRef } from 'react'
import { loadPage } from '../lib/load-page'
import { showError } from './ui/toast-store'

/**
 * Handles code that failed to load for what the page at `href` shows too: reports the first failure,
 * and opens that page from the second on.
 */
export function useLoadFailure(message: string): (href: string) => void {
  const failures = useRef(0)
  return (href) => {
    failures.current += 1
    if (failures.current > 1) openAsPage(href, message)
    else showError(message)
  }
}

/**
 * Opens a page in place of code that failed to load: a browser does not request a failed chunk
 * again, and a newer release has other chunks. If the server can't be reached, the visitor stays on
 * the page and sees `message`.
 */
export function openAsPage(
  href: string,
  message: string,
  open: (href: string) => void = loadPage,
): void {
  fetch(href, { method: 'HEAD' }).then(
    () => {
      open(href)
    },
    () => {
      showError(message)
    },
  )
}

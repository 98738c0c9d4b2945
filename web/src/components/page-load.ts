import { useRef } from 'react'
import { showError } from './ui/toast-store'

/**
 * Opens `href` with a full page load: the public pages and the admin portal have different content
 * security policies, and a page has the one that it was loaded with. A page that only redirects is
 * replaced in the history, or Back would lead to it again.
 */
export function loadPage(href: string, history: 'push' | 'replace' = 'push'): void {
  if (history === 'replace') location.replace(href)
  else location.assign(href)
}

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
export function openAsPage(href: string, message: string): void {
  fetch(href, { method: 'HEAD' }).then(
    () => {
      loadPage(href)
    },
    () => {
      showError(message)
    },
  )
}

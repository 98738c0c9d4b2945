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

/**
 * Loads this page again for a part of it whose code failed to load twice. Then the section around
 * `part` has the focus, as after another attempt without a page load (`Alert`); the page's inline
 * script sets it (`early_clicks.js`).
 */
export function reloadPage(part: Element | null): void {
  const section = part?.closest('section, main')
  openAsPage(location.href, 'The page could not be opened. Please try again.', (href) => {
    try {
      if (section) sessionStorage.afterReload = JSON.stringify([href, section.id])
    } catch {
      // Where storage is blocked, the page starts at its top.
    }
    // To the same address with a hash, a navigation would only scroll.
    location.reload()
  })
}

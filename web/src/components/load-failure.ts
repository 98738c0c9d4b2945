import { useRef } from 'react'
import { loadPage } from '../lib/load-page'
import { showError } from './ui/toast-store'

/**
 * Handles code that failed to load for what the page at `href` shows too: reports the first failure,
 * and opens that page from the second on.
 */
export function useLoadFailure(message: string): (href: string, open?: typeof loadPage) => void {
  const failures = useRef(0)
  return (href, open) => {
    failures.current += 1
    if (failures.current > 1) openAsPage(href, message, open)
    else showError(message)
  }
}

/**
 * Opens a page instead of code that failed to load: a browser does not request a failed chunk
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
  openAsPage(location.href, 'The page could not be opened. Please try again.', () => {
    reload(section ? [section.id] : [])
  })
}

/** Loads this page again for a link that opens a menu; its inline script then clicks the link. */
export function reloadToClick(link: Element): void {
  const name = link.textContent
  const links = [...document.querySelectorAll('#root a[aria-expanded]')]
  reload([name, links.filter(({ textContent }) => textContent === name).indexOf(link)])
}

/** With the part of the page that `early_clicks.js` finds, if any. */
function reload(part: (string | number)[]) {
  try {
    if (part.length > 0) sessionStorage.afterReload = JSON.stringify([location.href, ...part])
  } catch {
    // Where storage is blocked, the page starts at its top.
  }
  // To the same URL with a hash, a navigation would only scroll.
  location.reload()
}

import { openAsPage } from './load-failure'

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

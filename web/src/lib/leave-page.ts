/**
 * Goes to `href` with a full page load: the public pages and the admin portal have different
 * content policies, and a page keeps the one that it was loaded with. A page that only sends its
 * visitor on takes itself out of the history, or Back would lead into it again.
 */
export function leavePage(href: string, history: 'keep' | 'replace' = 'keep'): void {
  if (history === 'replace') location.replace(href)
  else location.assign(href)
}

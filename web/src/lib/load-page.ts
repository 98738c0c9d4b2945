/**
 * Opens `href` with a full page load: the public pages and the admin portal have different content
 * security policies, and a page has the one that it was loaded with. A page that only redirects is
 * replaced in the history, or Back would lead to it again.
 */
export function loadPage(href: string, history: 'push' | 'replace' = 'push'): void {
  if (history === 'replace') location.replace(href)
  else location.assign(href)
}

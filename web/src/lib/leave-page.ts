/**
 * Goes to `href` with a full page load: the public pages and the admin portal have different
 * content security policies, and a page has the one that it was loaded with. Pages that only
 * redirect use `replace`, or Back would lead to them again.
 */
export function leavePage(href: string, history: 'keep' | 'replace' = 'keep'): void {
  if (history === 'replace') location.replace(href)
  else location.assign(href)
}

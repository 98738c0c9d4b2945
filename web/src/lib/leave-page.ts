/**
 * Goes to `href` with a full page load: the public pages and the admin portal have different
 * content policies, and a page keeps the one that it was loaded with.
 */
export function leavePage(href: string): void {
  location.assign(href)
}

/**
 * The portal address requested before signing in, from `next` in the sign-in page's address. Only
 * paths under `portal` except the sign-in page are accepted; otherwise it is the portal's start, so
 * that no link can send an admin to another site.
 */
export function safeNext(next: string | null, portal: string, signIn: string): string {
  if (!next?.startsWith(portal)) return portal
  const url = URL.canParse(next, location.origin) ? new URL(next, location.origin) : null
  const isUnder = (path: string) => url?.pathname === path || url?.pathname.startsWith(`${path}/`)
  if (url?.origin !== location.origin || !isUnder(portal) || isUnder(signIn)) return portal
  return url.pathname + url.search + url.hash
}

/** The sign-in page's address that returns to `requested`, by default the portal's start. */
export function signInAddress(signIn: string, requested: string, portal: string): string {
  return requested === portal
    ? signIn
    : `${signIn}?${new URLSearchParams({ next: requested }).toString()}`
}

/**
 * Whether the server left the cookie that says that somebody signed in here. The session's own
 * cookie is hidden from scripts; this one only spares visitors a question whose answer is known.
 */
export function hasSignInHint(): boolean {
  return document.cookie.split('; ').includes('lectern_signed_in=1')
}

/** The number of characters (code points, not UTF-16 code units). */
export function lengthOf(text: string): number {
  return Array.from(text).length
}

/** `1 row`, `2,000 rows` */
export function countLabel(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

/** Only http and https URLs with a host are valid (contract, "Calls"). */
export function isWebUrl(text: string): boolean {
  // The URL parser would silently drop tabs and line breaks and encode spaces.
  if (/[\s\p{Cc}]/u.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  return new URL(text).hostname !== ''
}

/**
 * The URL of an image: a URL, or the path of an uploaded image, which stays valid when the site
 * moves to another domain.
 */
export function isImageUrl(text: string): boolean {
  const isOwn = /^\/pictures\/[\w./-]+$/.test(text) && !text.includes('..')
  return isOwn || isWebUrl(text)
}

const atom = "[\\w!#$%&'*+/=?^`{|}~-]+"
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const email = new RegExp(`^(?=.{1,64}@)${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`, 'i')

/** Whether a text is an email address, with a dot in its domain. */
export function isEmail(text: string): boolean {
  return email.test(text)
}

/** Text without case and diacritics, for searching. */
export function normalized(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The normalized words of a query. */
export function normalizedWords(query: string): string[] {
  return normalized(query).split(/\s+/).filter(Boolean)
}

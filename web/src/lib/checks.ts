/** How long a text is, in characters and not in the halves that some of them are made of. */
export function lengthOf(text: string): number {
  return Array.from(text).length
}

/** Only http and https addresses with a host are URLs (contract, "Calls"). */
export function isWebUrl(text: string): boolean {
  // The parser drops tabs and line breaks and repairs blanks; a person who typed them should know.
  if (/[\s\p{Cc}]/u.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  return new URL(text).hostname !== ''
}

/**
 * A picture's address: a URL, or one of the pictures that this server keeps, which stays right when
 * the site moves to another name.
 */
export function isImageAddress(text: string): boolean {
  const isOwn = /^\/pictures\/[\w./-]+$/.test(text) && !text.includes('..')
  return isOwn || isWebUrl(text)
}

const word = "[\\w!#$%&'*+/=?^`{|}~-]+"
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const email = new RegExp(`^(?=.{1,64}@)${word}(?:\\.${word})*@${label}(?:\\.${label})+$`, 'i')

/** An address that mail can be sent to, with a dot in its domain. */
export function isEmail(text: string): boolean {
  return email.test(text)
}

import { readStored, writeStored } from '../../lib/storage'

const storageKey = 'lectern.visitor-id'
const cookieName = 'visitor'
const year = 365 * 24 * 60 * 60

/**
 * The anonymous visitor's id, `user_` with a timestamp and a random string (spec §3). It is stored
 * in local storage and, for requests that don't name the visitor, in a cookie. The cookie takes
 * precedence: the server sets it if a visitor attends before the script runs.
 */
export function getVisitorId(): string {
  const fromCookie = cookieValue()
  const stored = readStored(storageKey)
  const id = fromCookie ?? stored ?? newVisitorId()
  if (stored !== id) writeStored(storageKey, id)
  if (fromCookie === null) writeCookie(id)
  return id
}

function newVisitorId(): string {
  const random = Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) =>
    byte.toString(36).padStart(2, '0'),
  )
  return `user_${Date.now()}_${random.join('')}`
}

function cookieValue(): string | null {
  return new RegExp(`(?:^|; )${cookieName}=([^;]+)`).exec(document.cookie)?.[1] ?? null
}

function writeCookie(id: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${cookieName}=${id}; Path=/; Max-Age=${year}; SameSite=Lax${secure}`
}

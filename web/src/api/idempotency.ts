import { useRef } from 'react'
import { ApiError, writeJson } from './client'

/**
 * Returns a form's `Idempotency-Key` for what it creates. The same content has the same key, so a
 * retry after a timeout or a lost connection returns what the first attempt created.
 */
export function useIdempotencyKey(): (content: unknown) => string {
  const keys = useRef(new Map<string, string>())
  return (content) => {
    const text = JSON.stringify(content)
    const key = keys.current.get(text) ?? newKey()
    keys.current.set(text, key)
    return key
  }
}

/** A random UUID, also on sites served over plain http, where `randomUUID` is missing. */
function newKey(): string {
  if (window.isSecureContext) return crypto.randomUUID()
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  )
  return bytes.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Creates the resource in `body`; a repeat with the same key returns the one created before. */
export async function createJson<T>(path: string, body: unknown, key: string): Promise<T> {
  const created = await writeJson<T>('POST', path, body, { 'Idempotency-Key': key })
  if (created === null) throw new ApiError('Unknown error', 204)
  return created
}

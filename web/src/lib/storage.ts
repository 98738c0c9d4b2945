/** Values that the browser rejected. */
const memory = new Map<string, string>()

/** Reads the value stored under `key`. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null
  } catch {
    return memory.get(key) ?? null
  }
}

/**
 * Stores `value` under `key`; null removes it. If the browser rejects it (cookies blocked, storage
 * full), the value lasts until the page is closed.
 */
export function writeStored(key: string, value: string | null): void {
  memory.delete(key)
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    if (value !== null) memory.set(key, value)
  }
}

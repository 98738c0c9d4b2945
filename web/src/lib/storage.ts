/** What the browser would not store; it lasts as long as the page. */
const memory = new Map<string, string>()

/** Reads what was kept under `key`. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null
  } catch {
    return memory.get(key) ?? null
  }
}

/**
 * Keeps `value` under `key`, over visits where the browser allows it; it does not with cookies
 * blocked or the storage full. Null forgets it.
 */
export function keep(key: string, value: string | null): void {
  memory.delete(key)
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    if (value !== null) memory.set(key, value)
  }
}

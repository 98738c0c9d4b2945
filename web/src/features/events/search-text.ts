/** Text without case and diacritics, for searching. */
export function normalized(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The normalized words of a query. */
export function normalizedWords(query: string): string[] {
  return normalized(query).split(/\s+/).filter(Boolean)
}

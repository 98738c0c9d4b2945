/** A quoted cell (RFC 4180). Spreadsheets would run text that begins like a formula. */
export function csvCell(text: string): string {
  const safe = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

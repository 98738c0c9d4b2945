import { messages } from './generated/contract'

/**
 * What is wrong with a trimmed text besides that it may be missing: it is too long, has several
 * lines in a field of one, or holds marks that no reader sees. Tabs and line breaks are none. The server
 * checks the same (`platform/validate.rs`).
 */
export function textFault(
  text: string,
  limit: number,
  tooLong: string,
  lines: 'one line' | 'many lines' = 'one line',
): string | undefined {
  // Most text is short enough in halves, too.
  if (text.length > limit && Array.from(text).length > limit) return tooLong
  if (lines === 'one line' && /[\n\r]/.test(text)) return messages.oneLine
  return /(?![\t\n\r])\p{Cc}/u.test(text) ? messages.controlCharacters : undefined
}

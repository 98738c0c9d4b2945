import { normalized } from '../../../lib/text'

/** A part of a text, and whether it matches the query. */
export interface TextPart {
  text: string
  isMatch: boolean
}

/** `text` split into matching and other parts, by the normalized `words`. */
export function matchParts(text: string, words: readonly string[]): TextPart[] {
  const characters = Array.from(text.normalize('NFC'))
  // The original index of each normalized character: one may become several, or none.
  const normalizedCharacters = characters.map(normalized)
  const origins = normalizedCharacters.flatMap((text, at) => Array.from(text, () => at))
  const all = Array.from(normalizedCharacters.join(''))
  const isMatch = new Set<number>()
  for (const word of words) {
    const sought = Array.from(word)
    for (let at = 0; at + sought.length <= all.length; at += 1) {
      if (!sought.every((character, index) => all[at + index] === character)) continue
      for (let index = 0; index < sought.length; index += 1) isMatch.add(origins[at + index] ?? -1)
    }
  }
  const parts: TextPart[] = []
  for (const [at, character] of characters.entries()) {
    const last = parts.at(-1)
    if (last?.isMatch === isMatch.has(at)) last.text += character
    else parts.push({ text: character, isMatch: isMatch.has(at) })
  }
  return parts
}

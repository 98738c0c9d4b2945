import { normalized } from '../../../lib/text'

/** A part of a text, and whether it matches the query. */
export interface TextPart {
  text: string
  isMatch: boolean
}

/** `text` split into matching and other parts, by the normalized `words`. */
export function matchParts(text: string, words: readonly string[]): TextPart[] {
  const characters = Array.from(text.normalize('NFC'))
  // The original index of each folded character: one may fold to several, or to none.
  const folded = characters.map(normalized)
  const origins = folded.flatMap((piece, at) => Array.from(piece, () => at))
  const all = Array.from(folded.join(''))
  const isMatch = new Set<number>()
  for (const word of words) {
    const letters = Array.from(word)
    for (let at = 0; at + letters.length <= all.length; at += 1) {
      if (!letters.every((letter, index) => all[at + index] === letter)) continue
      for (let index = 0; index < letters.length; index += 1) isMatch.add(origins[at + index] ?? -1)
    }
  }
  const pieces: TextPart[] = []
  for (const [at, character] of characters.entries()) {
    const last = pieces.at(-1)
    if (last?.isMatch === isMatch.has(at)) last.text += character
    else pieces.push({ text: character, isMatch: isMatch.has(at) })
  }
  return pieces
}

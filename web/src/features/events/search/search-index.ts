import type { CalendarEvent } from '../../../api/types'
import { durationOf } from '../calendar/entries'
import { normalized, normalizedWords } from '../search-text'

/** An event in the search index. */
export interface SearchEntry {
  event: CalendarEvent
  /** The normalized text that a query matches. */
  text: string
  isPast: boolean
}

/** The index at `now` (ms): upcoming events by start, then past events, the latest first. */
export function searchIndex(events: readonly CalendarEvent[], now: number): SearchEntry[] {
  const entries = events.map((event) => {
    const start = Date.parse(event.startsAt)
    const isPast = start + durationOf(event.duration) * 60_000 <= now
    return { start, entry: { event, text: textOf(event), isPast } }
  })
  const upcoming = entries.filter(({ entry }) => !entry.isPast).sort((a, b) => a.start - b.start)
  const past = entries.filter(({ entry }) => entry.isPast).sort((a, b) => b.start - a.start)
  return [...upcoming, ...past].map(({ entry }) => entry)
}

function textOf({ title, type, location, speakers, series }: CalendarEvent): string {
  const venue = location ? [location.venueName, location.city, location.state] : []
  const people = speakers.map(({ speaker }) => speaker.name)
  return normalized([title, type, series ?? '', ...venue, ...people].join('\n'))
}

/** The entries that match all words of `query`; none for a blank one. */
export function matchingEntries(index: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = normalizedWords(query)
  if (words.length === 0) return []
  return index.filter(({ text }) => words.every((word) => text.includes(word)))
}

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

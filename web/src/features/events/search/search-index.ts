import type { CalendarEvent } from '../../../api/types'
import { durationOf } from '../calendar/entries'

/** An event as the search knows it. */
export interface SearchEntry {
  event: CalendarEvent
  /** All that it is found by, folded. */
  text: string
  isPast: boolean
}

const marks = /\p{M}/gu

/** Text without regard to case and diacritics. */
function fold(text: string): string {
  return text.normalize('NFD').replace(marks, '').toLowerCase()
}

/** The normalized words of a query. */
export function messageOf(query: string): string[] {
  return fold(query).split(/\s+/).filter(Boolean)
}

/**
 * All events as the search finds them at `now`, in milliseconds: those that lie ahead by their
 * start, then those of the past, the latest first.
 */
export function searchIndex(events: readonly CalendarEvent[], now: number): SearchEntry[] {
  const placed = events.map((event) => {
    const start = Date.parse(event.startsAt)
    const isPast = start + durationOf(event.duration) * 60_000 <= now
    return { start, entry: { event, text: textOf(event), isPast } }
  })
  const ahead = placed.filter(({ entry }) => !entry.isPast).sort((a, b) => a.start - b.start)
  const past = placed.filter(({ entry }) => entry.isPast).sort((a, b) => b.start - a.start)
  return [...ahead, ...past].map(({ entry }) => entry)
}

function textOf({ title, type, location, speakers, series }: CalendarEvent): string {
  const place = location ? [location.venueName, location.city, location.state] : []
  const people = speakers.map(({ speaker }) => speaker.name)
  return fold([title, type, series ?? '', ...place, ...people].join('\n'))
}

/** The entries that match all words of `query`; none for a blank one. */
export function searched(index: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = messageOf(query)
  if (words.length === 0) return []
  return index.filter(({ text }) => words.every((word) => text.includes(word)))
}

/** A piece of a text, and whether it is what was searched for. */
export interface Piece {
  text: string
  isMatch: boolean
}

/** `text` split into matching and other parts, by the normalized `words`. */
export function matchesIn(text: string, words: readonly string[]): Piece[] {
  const characters = Array.from(text.normalize('NFC'))
  // Where each folded character comes from: one may fold to several, or to none.
  const folded = characters.map(fold)
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
  const pieces: Piece[] = []
  for (const [at, character] of characters.entries()) {
    const last = pieces.at(-1)
    if (last?.isMatch === isMatch.has(at)) last.text += character
    else pieces.push({ text: character, isMatch: isMatch.has(at) })
  }
  return pieces
}

import type { CalendarEvent } from '../../../api/types'
import { normalized, normalizedWords } from '../../../lib/text'
import { durationOf } from '../event-duration'
import { dayLabel, isDate } from '../event-time'

/** An event in the search index. */
export interface SearchEntry {
  event: CalendarEvent
  /** The normalized text that a query matches, with month and date. */
  text: string
  isPast: boolean
}

/** Events by the words in their text. */
export interface SearchIndex {
  /** Upcoming events by start, then past events, the latest first. */
  entries: readonly SearchEntry[]
  words: ReadonlyMap<string, readonly SearchEntry[]>
}

/** The events that match a query. */
export interface FoundEvents {
  entries: SearchEntry[]
  /** The words to mark: those of the query, and similar words. */
  marked: string[]
}

/** The index at `now` (ms). */
export function searchIndex(events: readonly CalendarEvent[], now: number): SearchIndex {
  const all = events.map((event) => {
    const start = Date.parse(event.startsAt)
    const isPast = start + durationOf(event.duration) * 60_000 <= now
    return { start, entry: { event, text: textOf(event), isPast } }
  })
  const upcoming = all.filter(({ entry }) => !entry.isPast).sort((a, b) => a.start - b.start)
  const past = all.filter(({ entry }) => entry.isPast).sort((a, b) => b.start - a.start)
  const entries = [...upcoming, ...past].map(({ entry }) => entry)

  const words = new Map<string, SearchEntry[]>()
  for (const entry of entries) {
    for (const word of new Set(entry.text.split(/[^\p{L}\p{N}]+/u))) {
      const having = words.get(word)
      if (having) having.push(entry)
      else words.set(word, [entry])
    }
  }
  return { entries, words }
}

/** The normalized text of an event that a query matches. */
export function textOf({ title, type, location, speakers, series, date }: CalendarEvent): string {
  const venue = location ? [location.venueName, location.city, location.state] : []
  const people = speakers.map(({ speaker }) => speaker.name)
  const month = isDate(date) ? (dayLabel(date).split(/,? /)[1] ?? '') : ''
  return normalized([title, type, series ?? '', ...venue, ...people, month, date].join('\n'))
}

/**
 * The events that match all terms of a query: those that contain them first, then those with similar
 * words. None for a blank query.
 */
export function findEvents({ entries, words }: SearchIndex, query: string): FoundEvents {
  const { dates, terms } = parseQuery(query)
  if (dates.length + terms.length === 0) return { entries: [], marked: [] }

  const marked = new Set(terms)
  const similar = terms.map((term) => {
    const isContained = entries.some(({ text }) => text.includes(term))
    const found = new Set<SearchEntry>()
    if (term.length < 4 || (term.length === 4 && isContained) || /^[\d-]+$/.test(term)) return found
    for (const [word, having] of words) {
      if (word.includes(term) || !isSimilar(term, word)) continue
      marked.add(word)
      for (const entry of having) found.add(entry)
    }
    return found
  })

  const exact: SearchEntry[] = []
  const close: SearchEntry[] = []
  for (const entry of entries) {
    if (!dates.every((date) => date.test(entry.event.date))) continue
    if (terms.every((term) => entry.text.includes(term))) exact.push(entry)
    else if (terms.every((term, at) => entry.text.includes(term) || similar[at]?.has(entry))) {
      close.push(entry)
    }
  }
  return { entries: [...exact, ...close], marked: [...marked] }
}

/** The events that `query` finds at `now` (ms), with which the server can render the search page. */
export function eventsFor(events: readonly CalendarEvent[], query: string, now: number) {
  return findEvents(searchIndex(events, now), query).entries.map(({ event }) => event)
}

const monthStarts = [
  'jan',
  'feb',
  'mar',
  'apr',
  'may',
  'jun',
  'jul',
  'aug',
  'sep',
  'oct',
  'nov',
  'dec',
]
const two = (number: number | string) => String(number).padStart(2, '0')

/**
 * The terms of a query, and its days: `dec 1`, `1 December`, `12/1` or `2026-12-1`. Months and years
 * alone are terms, because the text has them too.
 */
export function parseQuery(query: string): { dates: RegExp[]; terms: string[] } {
  const dates: RegExp[] = []
  const terms: string[] = []
  const words = normalizedWords(query)
  for (let at = 0; at < words.length; at += 1) {
    const [word = '', next = ''] = words.slice(at, at + 2)
    const slashed = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(word)
    const iso = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?$/.exec(word)
    const [month, day] = dayIn(word, next) ?? dayIn(next, word) ?? []
    if (month && day) {
      dates.push(new RegExp(`-${month}-${day}$`))
      at += 1
    } else if (slashed) {
      const [, month = '', day = '', year = ''] = slashed
      dates.push(new RegExp(`^${year}.*-${two(month)}-${two(day)}$`))
    } else if (iso) {
      const [, year = '', month = '', day] = iso
      dates.push(new RegExp(`^${year}-${two(month)}${day ? `-${two(day)}` : ''}`))
    } else {
      const term = word.replace(/,+$/, '')
      if (term) terms.push(term)
    }
  }
  return { dates, terms }
}

/** Month and day, two digits each, of words such as `dec` and `1st`. */
function dayIn(monthName: string, number: string): [string, string] | undefined {
  const name = monthName.replace(/[.,]$/, '')
  const month = monthStarts.indexOf(name.slice(0, 3)) + 1
  const day = /^(0?[1-9]|[12]\d|3[01])(st|nd|rd|th)?,?$/.exec(number)?.[1]
  const isMonth = month > 0 && (name === 'sept' || monthNameOf(month).startsWith(name))
  return isMonth && day ? [two(month), two(day)] : undefined
}

const monthNameOf = (month: number) =>
  normalized(dayLabel(`2026-${two(month)}-01`).split(/,? /)[1] ?? '')

/**
 * Whether `word` begins like `term` but for a typo, two in a long one: a missing, additional or
 * different letter, or two swapped ones.
 */
function isSimilar(term: string, word: string): boolean {
  const limit = term.length < 8 ? 1 : 2
  if (word.length < term.length - limit) return false
  const letters = word.slice(0, term.length + limit)
  // Optimal string alignment: each row has the distances of one more letter of the term to all
  // beginnings of the word.
  let before: number[] = []
  let last = Array.from({ length: letters.length + 1 }, (_, at) => at)
  for (let row = 1; row <= term.length; row += 1) {
    const current = [row]
    let least = row
    for (let at = 1; at <= letters.length; at += 1) {
      const isSame = term[row - 1] === letters[at - 1]
      let distance = Math.min(
        (last[at] ?? 0) + 1,
        (current[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isSwapped = term[row - 1] === letters[at - 2] && term[row - 2] === letters[at - 1]
      if (row > 1 && at > 1 && isSwapped) distance = Math.min(distance, (before[at - 2] ?? 0) + 1)
      current.push(distance)
      least = Math.min(least, distance)
    }
    if (least > limit) return false
    before = last
    last = current
  }
  return Math.min(...last) <= limit
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

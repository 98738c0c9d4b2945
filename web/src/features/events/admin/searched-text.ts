import type { CalendarEvent } from '../../../api/types'
import { normalized, normalizedWords } from '../../../lib/text'
import { dayLabel, isDate } from '../event-time'

/** The normalized text of an event that a query matches. */
export function textOf({ title, type, location, speakers, series, date }: CalendarEvent): string {
  const venue = location ? [location.venueName, location.city, location.state] : []
  const people = speakers.map(({ speaker }) => speaker.name)
  const month = isDate(date) ? (dayLabel(date).split(/,? /)[1] ?? '') : ''
  return normalized([title, type, series ?? '', ...venue, ...people, month, date].join('\n'))
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

import { nameTitles } from '../api/generated/contract'

const isTitle = (word: string) => nameTitles.includes(word.replace(/\.$/, '').toLowerCase())

/**
 * The initials of the first and last name: `NP` for `Dr. Nikhil Patel, MD`. Titles before the name
 * and everything after a comma are ignored (guide §6).
 */
export function initialsOf(name: string): string {
  const words = (name.split(',')[0] ?? '').split(/\s+/).filter(Boolean)
  const firstName = words.findIndex((word) => !isTitle(word))
  const names = firstName < 0 ? words : words.slice(firstName)
  const ends = names.length > 1 ? [names[0], names.at(-1)] : names
  return ends.map((word) => firstLetter(word ?? '')).join('')
}

function firstLetter(word: string): string {
  return /\p{L}|\p{N}/u.exec(word)?.[0].toUpperCase() ?? ''
}

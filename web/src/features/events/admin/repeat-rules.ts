import type { SelectOption } from '../../../components/ui/field'
import { isDate } from '../event-time'

const weekdayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })
const ordinals = ['1st', '2nd', '3rd', '4th']

/** `Tuesday` for 2026-03-10. */
export const weekdayOf = (date: string): string =>
  weekdayFormat.format(Date.parse(`${date}T12:00:00Z`))

const once = { value: '', label: 'Does not repeat' }

/** The rules that fit the first date, as options; without a date only "Does not repeat". */
export function rulesOf(date: string): readonly SelectOption[] {
  if (!isDate(date)) return [once]
  const day = Number(date.slice(8))
  const nth = Math.ceil(day / 7)
  const daysInMonth = new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0))
  const isLast = day + 7 > daysInMonth.getUTCDate()
  const name = weekdayOf(date)
  return [
    once,
    { value: 'week', label: `Every week on ${name}` },
    { value: 'two-weeks', label: `Every two weeks on ${name}` },
    { value: 'month-day', label: `Every month on day ${day}` },
    ...(nth <= 4
      ? [{ value: 'month-weekday', label: `Every month on the ${ordinals[nth - 1]} ${name}` }]
      : []),
    ...(isLast ? [{ value: 'month-last-weekday', label: `Every month on the last ${name}` }] : []),
  ]
}

/** The rules that fit the first date, and the chosen one if it no longer fits. */
export function rulesWith(date: string, chosen: string): readonly SelectOption[] {
  const rules = rulesOf(date)
  if (rules.some(({ value }) => value === chosen)) return rules
  const label = isDate(date) ? 'Does not fit this date' : 'Choose the first date'
  return [...rules, { value: chosen, label }]
}

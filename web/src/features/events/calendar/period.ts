import { dayLabel, isDate } from '../event-time'

/** Days from the first to the last, both yyyy-MM-dd and both included. */
export interface Days {
  from: string
  to: string
}

/** The calendar's views (spec §2). */
export const views = ['month', 'week', 'day'] as const
export type CalendarView = (typeof views)[number]

/** What the calendar shows: a view, and a day in it as yyyy-MM-dd. */
export interface Period {
  view: CalendarView
  day: string
}

/** A day as a date in UTC, where every day has 24 hours. */
const utc = (day: string) => new Date(`${day}T00:00:00Z`)
const dayOfUtc = (date: Date) => date.toISOString().slice(0, 10)

/** A local date as yyyy-MM-dd. */
export function dayOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The day that is `count` days later. */
export function addDays(day: string, count: number): string {
  const date = utc(day)
  date.setUTCDate(date.getUTCDate() + count)
  return dayOfUtc(date)
}

/** The first day of the month that is `count` months later. */
export function addMonths(day: string, count: number): string {
  const date = utc(`${day.slice(0, 7)}-01`)
  date.setUTCMonth(date.getUTCMonth() + count)
  return dayOfUtc(date)
}

const sundayBefore = (day: string) => addDays(day, -utc(day).getUTCDay())

/** The days of a period; weeks start on Sunday. */
export function daysOf({ view, day }: Period): Days {
  if (view === 'day') return { from: day, to: day }
  const from = view === 'week' ? sundayBefore(day) : `${day.slice(0, 7)}-01`
  return { from, to: view === 'week' ? addDays(from, 6) : addDays(addMonths(day, 1), -1) }
}

/** The weeks that overlap the month of `day`, each from Sunday to Saturday. */
export function weeksOf(day: string): string[][] {
  const { from, to } = daysOf({ view: 'month', day })
  const weeks: string[][] = []
  for (let sunday = sundayBefore(from); sunday <= to; sunday = addDays(sunday, 7)) {
    weeks.push([0, 1, 2, 3, 4, 5, 6].map((weekday) => addDays(sunday, weekday)))
  }
  return weeks
}

/** The period before (-1) or after (1) another. */
export function stepFrom({ view, day }: Period, direction: -1 | 1): Period {
  if (view === 'month') return { view, day: addMonths(day, direction) }
  return { view, day: addDays(day, view === 'week' ? 7 * direction : direction) }
}

/** The names of a day: `Tuesday`, `March`, `10` and `2026`. */
export function namesOf(day: string) {
  const [weekday = '', month = '', date = ''] = dayLabel(day).split(/,? /)
  return { weekday, month, date, year: String(Number(day.slice(0, 4))) }
}

/** `March 2026`, `March 29 – April 4, 2026` or `Thursday, March 19, 2026`. */
export function titleOf({ view, day }: Period): string {
  const { month, year } = namesOf(day)
  if (view === 'month') return `${month} ${year}`
  if (view === 'day') return `${dayLabel(day)}, ${year}`
  const { from, to } = daysOf({ view, day })
  const [first, last] = [namesOf(from), namesOf(to)]
  const isOneYear = first.year === last.year
  const start = `${first.month} ${first.date}${isOneYear ? '' : `, ${first.year}`}`
  const isOneMonth = isOneYear && first.month === last.month
  return `${start} – ${isOneMonth ? '' : `${last.month} `}${last.date}, ${last.year}`
}

/** Whether a day is in a year whose months the server renders, too (`YEARS` in `pages/rules.rs`). */
export const isInCalendar = (day: string) =>
  isDate(day) && day >= '2000-01-01' && day <= '2099-12-31'

/**
 * The period in a URL: `?month=2026-12`, or `?view=week&day=2026-12-03`; by default the one of
 * today, also for a month that the calendar does not have.
 */
export function periodIn(
  parameters: URLSearchParams,
  today: string,
  initialView: CalendarView,
): Period {
  const view = views.find((name) => name === parameters.get('view')) ?? initialView
  const month = parameters.get('month') ?? ''
  const day = view === 'month' ? `${month}-01` : (parameters.get('day') ?? '')
  const isCurrent = view === 'month' && month === today.slice(0, 7)
  return { view, day: isInCalendar(day) && !isCurrent ? day : today }
}

/** The parameters of a period, without the defaults. */
export function parametersOf(
  { view, day }: Period,
  today: string,
  initialView: CalendarView,
): [string, string][] {
  const month = day.slice(0, 7)
  return [
    ...(view === initialView && view === 'month' ? [] : ([['view', view]] as [string, string][])),
    ...(view === 'month'
      ? month === today.slice(0, 7)
        ? []
        : ([['month', month]] as [string, string][])
      : ([['day', day]] as [string, string][])),
  ]
}

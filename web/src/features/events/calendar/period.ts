import type { Days } from '../use-events'

/** The calendar's views (spec §2). */
export type CalendarView = 'month' | 'week' | 'day'

/** A local date as yyyy-MM-dd. */
export function dayOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The first day of the month that is `months` away. */
export function monthFrom(date: Date, months: number): Date {
  return new Date(date.getFullYear(), date.getMonth() + months, 1)
}

/** The days that a view shows around `date`; weeks start on Sunday. */
export function daysOf(date: Date, view: CalendarView): Days {
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  const days = (from: number, to: number) => ({
    from: dayOf(new Date(year, month, from)),
    to: dayOf(new Date(year, month, to)),
  })
  if (view === 'day') return days(day, day)
  const sunday = day - date.getDay()
  if (view === 'week') return days(sunday, sunday + 6)
  return { from: dayOf(new Date(year, month, 1)), to: dayOf(new Date(year, month + 1, 0)) }
}

/** `March 2026`. */
export function monthTitle(date: Date): string {
  return date.toLocaleDateString('en-US', { month: 'long', year: 'numeric' })
}

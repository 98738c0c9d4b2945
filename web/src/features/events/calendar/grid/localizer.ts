import { format, getDay, startOfWeek } from 'date-fns'
import {
  dateFnsLocalizer,
  type Formats,
  Navigate,
  type NavigateAction,
  type ViewStatic,
} from 'react-big-calendar'
import { type CalendarView, monthFrom, monthTitle } from '../period'

/**
 * Date functions for the library, from date-fns. Entries have local dates already, so it works in
 * the browser's zone. Weeks start on Sunday.
 */
export const localizer = dateFnsLocalizer({ format, getDay, startOfWeek, locales: {} })

/** `March 15 – 21, 2026`, with the second month or the first year where they differ. */
export function weekTitle({ start, end }: { start: Date; end: Date }): string {
  const isOneYear = start.getFullYear() === end.getFullYear()
  const isOneMonth = isOneYear && start.getMonth() === end.getMonth()
  const from = format(start, isOneYear ? 'MMMM d' : 'MMMM d, yyyy')
  return `${from} – ${format(end, isOneMonth ? 'd, yyyy' : 'MMMM d, yyyy')}`
}

/** `Thursday, March 19, 2026`. */
export function dayTitle(date: Date): string {
  return format(date, 'EEEE, MMMM d, yyyy')
}

/** The formats of periods and hours. */
export const formats: Formats = {
  dayRangeHeaderFormat: weekTitle,
  dayHeaderFormat: dayTitle,
  timeGutterFormat: 'h a',
}

/** The static functions that the library requires of a view: navigation and title. */
export function viewStatics(view: CalendarView): ViewStatic {
  const step = (date: Date, count: number) =>
    view === 'month' ? monthFrom(date, count) : localizer.add(date, count, view)
  return {
    navigate: (date, action: NavigateAction) =>
      action === Navigate.PREVIOUS
        ? step(date, -1)
        : action === Navigate.NEXT
          ? step(date, 1)
          : date,
    title: (date) => {
      if (view === 'month') return monthTitle(date)
      if (view === 'day') return dayTitle(date)
      const sunday = localizer.add(date, -date.getDay(), 'day')
      return weekTitle({ start: sunday, end: localizer.add(sunday, 6, 'day') })
    },
  }
}

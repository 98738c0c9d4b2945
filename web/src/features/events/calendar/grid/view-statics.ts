import { Navigate, type NavigateAction, type ViewStatic } from 'react-big-calendar'
import { type CalendarView, monthFrom, monthTitle } from '../period'
import { dayTitle, localizer, weekTitle } from './localizer'

/** What the library asks of a view of our own: where a step leads, and how the period is called. */
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

import { type RefObject, useLayoutEffect } from 'react'
import type { CalendarEntry } from '../entries'
import { type CalendarView, daysOf } from '../period'

const hourHeight = 56
/** Where week and day open when they hold no event: 7 AM (guide §6). */
const emptyHour = 7

interface TimeScroll {
  date: Date
  view: CalendarView
  days: ReadonlyMap<string, CalendarEntry[]>
  isReady: boolean
  titleId: string
}

/** Opens week and day at their first event, and lets the keyboard scroll them. */
export function useTimeScroll(
  grid: RefObject<HTMLElement | null>,
  { date, view, days, isReady, titleId }: TimeScroll,
): void {
  const { from, to } = daysOf(date, view)
  const hours = [...days]
    .filter(([day]) => from <= day && day <= to)
    .flatMap(([, entries]) => entries.map(({ start }) => start.getHours()))
  const first = hours.length > 0 ? Math.min(...hours) : emptyHour

  useLayoutEffect(() => {
    // The library makes this element, and gives no way to say more about it.
    const content = grid.current?.querySelector<HTMLElement>('.rbc-time-content')
    if (!content || !isReady) return
    content.tabIndex = 0
    content.setAttribute('role', 'region')
    content.setAttribute('aria-labelledby', titleId)
    content.scrollTop = first * hourHeight - 8
  }, [grid, view, from, first, isReady, titleId])
}

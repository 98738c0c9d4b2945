import type { CSSProperties } from 'react'
import { NoEvents } from '../no-events'
import { dayOf, daysOf, monthFrom } from '../period'
import { DayCell } from './day-cell'
import { useGrid } from './grid-context'
import { localizer, viewStatics } from './localizer'
import styles from './month-view.module.css'

/**
 * The month as a table of days with a button for each event. It replaces the library's month view,
 * which assistive technology can't read (guide §9, Month grid).
 */
function MonthTable({ date }: { date: Date }) {
  const { titleId, days, onDate } = useGrid()
  const { from, to } = daysOf(date, 'month')
  const isEmpty = ![...days.keys()].some((day) => from <= day && day <= to)
  const weeks = weeksOf(date)
  // Days are less high in a month of six weeks.
  const maxLines = weeks.length > 5 ? 2 : 3

  return (
    <>
      <table
        className={styles.root}
        style={{ '--rows': weeks.length } as CSSProperties}
        aria-labelledby={titleId}
      >
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day.getDay()} className={styles.weekday} scope="col">
                <span aria-hidden="true">{localizer.format(day, 'EEE')}</span>
                <span className="visually-hidden">{localizer.format(day, 'EEEE')}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week, index) => (
            <tr key={index}>
              {week.map((day) => (
                <DayCell
                  key={dayOf(day)}
                  date={day}
                  isOutside={day.getMonth() !== date.getMonth()}
                  maxLines={maxLines}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isEmpty && (
        <div className={styles.empty}>
          <div className={styles.note}>
            <NoEvents
              onNextMonth={() => {
                // The button is removed with this month.
                document.getElementById(titleId)?.focus({ preventScroll: true })
                onDate(monthFrom(date, 1))
              }}
            />
          </div>
        </div>
      )}
    </>
  )
}

/** The weeks that overlap the month, each from Sunday to Saturday. */
function weeksOf(date: Date): Date[][] {
  const days = localizer.visibleDays(date, localizer)
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
}

/** The month's view for the library. */
export const MonthView = Object.assign(MonthTable, viewStatics('month'))

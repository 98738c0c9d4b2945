import type { ReactNode, RefObject } from 'react'
import type { EventWrapperProps } from 'react-big-calendar'
import { classNames } from '../../../../lib/class-names'
import { dayLabel } from '../../event-time'
import type { CalendarEntry } from '../entries'
import { dayOf } from '../period'
import { EventButton } from './event-button'
import { useGrid } from './grid-context'
import { localizer } from './localizer'
import styles from './time-parts.module.css'

/** An event of week and day: the event button at the position set by the library. */
export function TimeEvent({ event, style }: EventWrapperProps<CalendarEntry>) {
  const { view } = useGrid()
  const { top, height, width, xOffset } = style ?? {}
  return (
    <div
      className={styles.event}
      style={{
        top: percent(top),
        height: percent(height),
        width: percent(width),
        left: percent(xOffset),
      }}
    >
      <EventButton
        entry={event}
        form="block"
        description={view === 'day' ? event.event.description : undefined}
      />
    </div>
  )
}

/** The library passes percentages as numbers, or lengths. */
function percent(length: string | number | undefined): string | undefined {
  return typeof length === 'number' ? `${length}%` : length
}

/** The head of a day's column. */
export function DayHead({ date }: { date: Date }) {
  const { today } = useGrid()
  return (
    <span className={classNames(styles.head, dayOf(date) === today && styles.today)}>
      <span aria-hidden="true">{localizer.format(date, 'EEE')}</span>
      <span className="visually-hidden">{localizer.format(date, 'EEEE')} </span>
      <b className={styles.number}>{date.getDate()}</b>
    </span>
  )
}

interface DayColumnProps {
  ref: RefObject<HTMLDivElement>
  date: Date
  className: string
  children: ReactNode
}

/** A day's column: a group with the day's name, highlighted if it has events. */
export function DayColumn({ ref, date, className, children }: DayColumnProps) {
  const { days } = useGrid()
  const day = dayOf(date)
  return (
    <div
      ref={ref}
      className={classNames(className, styles.column, days.has(day) && styles.lit)}
      role="group"
      aria-label={dayLabel(day)}
    >
      {children}
    </div>
  )
}

/** The hours beside the columns; each event has its own time label. */
export function TimeGutter({ children }: { children?: ReactNode }) {
  return (
    <div className={styles.gutter} aria-hidden="true">
      {children}
    </div>
  )
}

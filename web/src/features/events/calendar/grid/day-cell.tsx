import { useState } from 'react'
import { classNames } from '../../../../lib/class-names'
import { timeLabel } from '../../event-time'
import { dayOf } from '../period'
import { DayDialog } from './day-dialog'
import styles from './day-cell.module.css'
import { EventButton } from './event-button'
import { useGrid } from './grid-context'
import { localizer } from './localizer'

interface DayCellProps {
  date: Date
  /** A day of the month before or after, which shows only its number. */
  isOutside: boolean
  /** The maximum number of lines. */
  maxLines: number
}

/** A day of the month, styled as a window that is lit if it has events (guide §6). */
export function DayCell({ date, isOutside, maxLines }: DayCellProps) {
  const { days, today } = useGrid()
  const day = dayOf(date)
  const entries = isOutside ? [] : (days.get(day) ?? [])
  const shown = entries.length > maxLines ? entries.slice(0, maxLines - 1) : entries
  const isToday = day === today && !isOutside

  return (
    <td
      className={classNames(
        styles.root,
        isOutside && styles.outside,
        entries.length > 0 && styles.lit,
        day < today && styles.past,
        isToday && styles.today,
      )}
      aria-current={isToday ? 'date' : undefined}
    >
      <time className={styles.number} dateTime={day}>
        {localizer.format(date, isOutside && date.getDate() === 1 ? 'MMM d' : 'd')}
      </time>
      {isToday && <span className="visually-hidden"> Today</span>}
      {entries.length > 0 && (
        <ul className={classNames(styles.events, entries.length === 1 && styles.alone)}>
          {shown.map((entry) => (
            <li key={entry.id} className={entries.length > 1 ? styles.others : undefined}>
              <EventButton entry={entry} form={entries.length === 1 ? 'window' : 'line'} />
            </li>
          ))}
          {shown.length < entries.length && (
            <li className={styles.others}>
              <More date={date} day={day} count={entries.length - shown.length} />
            </li>
          )}
          {(entries.length > 1 ? entries : []).map(({ id, title, startsAt, event }) => (
            <li key={id} className={styles.onPaper}>
              {timeLabel(startsAt, event.timezone)} {title}
            </li>
          ))}
        </ul>
      )}
    </td>
  )
}

function More({ date, day, count }: { date: Date; day: string; count: number }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={styles.more}
        aria-haspopup="dialog"
        onClick={() => {
          setIsOpen(true)
        }}
      >
        +{count} more <span className="visually-hidden">on {localizer.format(date, 'MMMM d')}</span>
      </button>
      {isOpen && (
        <DayDialog
          day={day}
          onClose={() => {
            setIsOpen(false)
          }}
        />
      )}
    </>
  )
}

import { type ComponentType, type ReactNode, useState } from 'react'
import { isPlainClick } from '../../../components/links'
import { classNames } from '../../../lib/class-names'
import { stateOf } from '../event-presentation'
import { useCalendar } from './calendar-context'
import { EventChip } from './event-chip'
import styles from './month-table.module.css'
import { daysOf, namesOf, weeksOf } from './period'

interface MonthTableProps {
  day: string
  titleId: string
  /**
   * A link to the next event, or to the last one if there is none, below the list of a month whose
   * events are all over.
   */
  nearestEventLink: ReactNode
}

/**
 * The month as one table for all widths: a grid of days with a link for each event, styled as a list
 * of the days with events in narrow windows and with `/embed?view=list` (spec §2; guide §9, Month grid). The
 * stylesheets choose: `calendar-card.module.css` names the container `calendar-grid` or
 * `calendar-list`, and the container queries on these names have the styles.
 */
export function MonthTable({ day, titleId, nearestEventLink }: MonthTableProps) {
  const { days, today } = useCalendar()
  const { from, to } = daysOf({ view: 'month', day })
  const weeks = weeksOf(day)
  const isCurrent = from <= today && today <= to
  const past = isCurrent ? [...days].filter(([date]) => date < today) : []
  const earlier = past.reduce((sum, [, { length }]) => sum + length, 0)

  return (
    <>
      {earlier > 0 && (
        // It collapses the list's past days, which are in the table.
        <details key={from} className={styles.earlier}>
          <summary className={styles.summary}>
            {earlier} earlier {earlier === 1 ? 'event' : 'events'}
          </summary>
        </details>
      )}
      <table
        className={classNames(styles.root, styles[`weeks${weeks.length}`])}
        aria-labelledby={titleId}
      >
        <thead>
          <tr>
            {weeks[0]?.map((date) => {
              const { weekday } = namesOf(date)
              return (
                <th key={date} className={styles.weekday} scope="col">
                  <span aria-hidden="true">{weekday.slice(0, 3)}</span>
                  <span className="visually-hidden">{weekday}</span>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((date) => (
                <Day
                  key={date}
                  date={date}
                  isOutside={date < from || to < date}
                  isCollapsed={isCurrent && date < today}
                  // Days are less high in a month of six weeks.
                  maxLines={weeks.length > 5 ? 2 : 3}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {earlier > 0 && past.length === days.size && (
        <div className={styles.nextEvent}>{nearestEventLink}</div>
      )}
    </>
  )
}

interface DayProps {
  date: string
  /** A day of the month before or after, which shows only its number. */
  isOutside: boolean
  /** A past day of the current month, which the list shows on request. */
  isCollapsed: boolean
  /** The maximum number of lines in the grid. */
  maxLines: number
}

/** A day of the month, highlighted if it has events (guide §6). */
function Day({ date, isOutside, isCollapsed, maxLines }: DayProps) {
  const { days, today, now } = useCalendar()
  const entries = isOutside ? [] : (days.get(date) ?? [])
  const limit = entries.length > maxLines ? maxLines - 1 : maxLines
  // What is over makes room for what is not.
  const current = entries.findIndex((entry) => stateOf(entry, now) !== 'over')
  const first = Math.max(0, Math.min(current, entries.length - limit))
  const isToday = date === today && !isOutside
  const { weekday, month, date: number } = namesOf(date)
  const layout = entries.length === 1 ? 'single' : entries.length + 1 === maxLines ? 'pair' : 'line'
  const id = `day-${date}`

  return (
    <td
      id={entries.length > limit ? id : undefined}
      className={classNames(
        styles.day,
        isOutside && styles.outside,
        entries.length > 0 && styles.hasEvents,
        date < today && styles.past,
        isCollapsed && styles.collapsed,
        isToday && styles.today,
      )}
      aria-current={isToday ? 'date' : undefined}
    >
      <div className={styles.date}>
        <time dateTime={date}>
          {entries.length > 0 && (
            <span className={styles.listed}>
              <span className="visually-hidden">
                {weekday}, {month}{' '}
              </span>
              <span aria-hidden="true">{weekday.slice(0, 3)}</span>
            </span>
          )}
          <b className={styles.number}>
            {isOutside && number === '1' ? `${month.slice(0, 3)} 1` : number}
          </b>
        </time>
        {isToday && <span className={styles.now}> Today</span>}
      </div>
      {entries.length > 0 && (
        <ul className={classNames(styles.events, styles[layout])}>
          {entries.map((entry, index) => (
            <li
              key={entry.id}
              className={first <= index && index < first + limit ? undefined : styles.extra}
            >
              <EventChip entry={entry} layout={layout} />
            </li>
          ))}
          {entries.length > limit && (
            <li className={styles.more}>
              <MoreEventsLink day={date} count={entries.length - limit} href={`#${id}`} />
            </li>
          )}
        </ul>
      )}
    </td>
  )
}

interface MoreEventsLinkProps {
  day: string
  count: number
  /** The target without scripts, which shows the whole day. */
  href: string
}

/** Opens a dialog with all events of a day that has more than fit (guide §6). */
export function MoreEventsLink({ day, count, href }: MoreEventsLinkProps) {
  const [Dialog, setDialog] = useState<ComponentType<{ day: string; onClose: () => void }>>()
  const { month, date } = namesOf(day)
  return (
    <>
      <a
        className={styles.opener}
        href={href}
        aria-haspopup="dialog"
        onClick={(click) => {
          if (!isPlainClick(click)) return
          click.preventDefault()
          import('./day-dialog').then(
            ({ DayDialog }) => {
              setDialog(() => DayDialog)
            },
            () => {
              location.assign(href)
            },
          )
        }}
      >
        +{count} more <span className="visually-hidden">on {`${month} ${date}`}</span>
      </a>
      {Dialog && (
        <Dialog
          day={day}
          onClose={() => {
            setDialog(undefined)
          }}
        />
      )}
    </>
  )
}

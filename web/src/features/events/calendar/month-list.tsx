import { type ReactNode, useMemo } from 'react'
import { Button } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { Skeleton } from '../../../components/ui/skeleton'
import { classNames } from '../../../lib/class-names'
import { dayLabel } from '../event-time'
import { byDay, type CalendarEntry, type CalendarProps } from './entries'
import { ListCard } from './list-card'
import styles from './month-list.module.css'
import { NoEvents } from './no-events'
import { daysOf, monthFrom, monthTitle } from './period'

/** The calendar of narrow screens: the month's events, day by day (spec §2, Calendar component). */
export function MonthList(props: CalendarProps) {
  const { date, problem, Heading, onDate } = props
  const step = (months: number) => () => {
    onDate(monthFrom(date, months))
  }
  return (
    <>
      <div className={styles.bar} role="group" aria-label="Calendar controls">
        <Heading className={styles.title} aria-live="polite">
          {monthTitle(date)}
        </Heading>
        <StepButton label="Previous month" icon="previous" onClick={step(-1)} />
        <StepButton label="Next month" icon="next" onClick={step(1)} />
      </div>
      {problem ?? <Days {...props} onNextMonth={step(1)} />}
    </>
  )
}

interface StepButtonProps {
  label: string
  icon: 'previous' | 'next'
  onClick: () => void
}

function StepButton({ label, icon, onClick }: StepButtonProps) {
  return (
    <Button variant="quiet" className={styles.step} aria-label={label} onClick={onClick}>
      <Icon name={icon} />
    </Button>
  )
}

function Days(props: CalendarProps & { onNextMonth: () => void }): ReactNode {
  const { date, entries, now, today, hasDialog, onOpen, onIntent, onNextMonth } = props
  const days = useMemo(() => entries && daysWithEvents(entries, date), [entries, date])
  if (!days) return <ListSkeleton />
  if (days.length === 0) return <NoEvents onNextMonth={onNextMonth} />

  return (
    <ol>
      {days.map(([day, ofDay]) => {
        const isToday = day === today
        const [weekday = '', monthAndDay = ''] = dayLabel(day).split(', ')
        return (
          <li
            key={day}
            className={classNames(styles.day, isToday && styles.today)}
            aria-current={isToday ? 'date' : undefined}
          >
            <div className={styles.date}>
              <time dateTime={day}>
                <span className="visually-hidden">
                  {weekday}, {monthAndDay.split(' ')[0]}{' '}
                </span>
                <span aria-hidden="true">{weekday.slice(0, 3)}</span>
                <b className={styles.number}>{Number(day.slice(-2))}</b>
              </time>
              {isToday && <span>Today</span>}
            </div>
            <div className={styles.cards}>
              {ofDay.map((entry) => (
                <ListCard
                  key={entry.id}
                  entry={entry}
                  isPast={entry.endsAt <= now}
                  hasDialog={hasDialog}
                  onOpen={onOpen}
                  onIntent={onIntent}
                />
              ))}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** The days of the month that have events, with their events. */
function daysWithEvents(entries: readonly CalendarEntry[], date: Date) {
  const { from, to } = daysOf(date, 'month')
  return [...byDay(entries)].filter(([day]) => from <= day && day <= to)
}

function ListSkeleton() {
  return (
    <>
      <p className="visually-hidden">Loading events...</p>
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className={styles.day} aria-hidden="true">
          <Skeleton className={styles.dateSkeleton} />
          <Skeleton className={styles.cardSkeleton} />
        </div>
      ))}
    </>
  )
}

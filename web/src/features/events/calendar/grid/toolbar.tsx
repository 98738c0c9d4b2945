import { Navigate, type ToolbarProps } from 'react-big-calendar'
import { Button } from '../../../../components/ui/button'
import { SkipLink } from '../../../../components/skip-link'
import { Icon } from '../../../../components/ui/icon'
import type { CalendarEntry } from '../entries'
import { type CalendarView, daysOf } from '../period'
import { useGrid } from './grid-context'
import styles from './toolbar.module.css'

const views: { view: CalendarView; label: string }[] = [
  { view: 'month', label: 'Month' },
  { view: 'week', label: 'Week' },
  { view: 'day', label: 'Day' },
]

/** With more events than this, there is a skip link (guide §9). */
const skippable = 10

/** Previous, Today, next, the period, and the views (spec §2, Calendar component). */
export function Toolbar({ view, label, onNavigate, onView }: ToolbarProps<CalendarEntry>) {
  const { titleId, endId, Heading, days, date } = useGrid()
  const { from, to } = daysOf(date, view as CalendarView)
  const count = [...days].reduce(
    (sum, [day, entries]) => sum + (from <= day && day <= to ? entries.length : 0),
    0,
  )
  return (
    <div className={styles.root} role="group" aria-label="Calendar controls">
      <Button
        size="dense"
        className={styles.step}
        aria-label={`Previous ${view}`}
        onClick={() => {
          onNavigate(Navigate.PREVIOUS)
        }}
      >
        <Icon name="previous" />
      </Button>
      <Button
        size="dense"
        onClick={() => {
          onNavigate(Navigate.TODAY)
        }}
      >
        Today
      </Button>
      <Button
        size="dense"
        className={styles.step}
        aria-label={`Next ${view}`}
        onClick={() => {
          onNavigate(Navigate.NEXT)
        }}
      >
        <Icon name="next" />
      </Button>
      <Heading className={styles.title} id={titleId} tabIndex={-1} aria-live="polite">
        {label}
      </Heading>
      <div className={styles.views} role="group" aria-label="View">
        {views.map((each) => (
          <button
            key={each.view}
            type="button"
            className={styles.view}
            aria-pressed={each.view === view}
            onClick={() => {
              onView(each.view)
            }}
          >
            {each.label}
          </button>
        ))}
      </div>
      {count > skippable && <SkipLink href={`#${endId}`}>Skip calendar</SkipLink>}
    </div>
  )
}

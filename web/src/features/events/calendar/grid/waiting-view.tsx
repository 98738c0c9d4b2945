import type { CalendarView } from '../period'
import { MonthSkeleton } from '../month-skeleton'
import { useGrid } from './grid-context'
import { viewStatics } from './localizer'
import styles from './waiting-view.module.css'

/** Replaces a view's content while its events can't be shown; the toolbar keeps working. */
function Waiting() {
  const { problem } = useGrid()
  return <div className={styles.root}>{problem ?? <MonthSkeleton />}</div>
}

const waiting = (view: CalendarView) => Object.assign(() => <Waiting />, viewStatics(view))

/** The replacement for each of the calendar's views. */
export const waitingViews = {
  month: waiting('month'),
  week: waiting('week'),
  day: waiting('day'),
}

import type { CalendarView } from '../period'
import { MonthSkeleton } from '../month-skeleton'
import { useGrid } from './grid-context'
import { viewStatics } from './localizer'
import styles from './waiting-view.module.css'

/** Keeps a view's place, and its toolbar working, while its events can't be shown. */
function Waiting() {
  const { problem } = useGrid()
  return <div className={styles.root}>{problem ?? <MonthSkeleton />}</div>
}

const waiting = (view: CalendarView) => Object.assign(() => <Waiting />, viewStatics(view))

/** Such a view in place of each of the calendar's own. */
export const waitingViews = {
  month: waiting('month'),
  week: waiting('week'),
  day: waiting('day'),
}

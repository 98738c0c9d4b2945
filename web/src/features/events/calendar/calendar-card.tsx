import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { CalendarEvent } from '../../../api/types'
import { lazyPartQuery } from '../../../lib/lazy-part-query'
import { useMinute } from '../../../lib/use-minute'
import { phoneQuery, useMediaQuery } from '../../../lib/use-media-query'
import { useEvents } from '../use-events'
import styles from './calendar-card.module.css'
import { calendarEntries } from './entries'
import { GridSkeleton } from './month-skeleton'
import { LoadProblem } from './load-problem'
import { MonthList } from './month-list'
import { type CalendarView, dayOf, daysOf } from './period'

/** The grid and its library, which phones do not download (spec §2). */
const gridPart = lazyPartQuery(
  'calendar-grid',
  async () => (await import('./grid/calendar-grid')).CalendarGrid,
)

interface CalendarCardProps {
  /** Only events of this type; all by default. */
  type?: string | null
  /** The level of the period's heading. */
  headingLevel: 2 | 3
  /** Announces the number of events of the period in a live region. */
  isCounting?: boolean
  onOpen: (event: CalendarEvent) => void
  /** Called when an event is about to be opened. */
  onIntent: () => void
  /** The initial view; `list` applies on wide screens too. */
  initialView?: CalendarView | 'list'
  /** Whether events open in a dialog, not on a page in a new tab. */
  hasDialog?: boolean
}

/**
 * The calendar: a month list on phones, on wide screens a grid of month, week and day (spec §2,
 * Calendar component).
 */
export function CalendarCard({
  type = null,
  headingLevel,
  isCounting = false,
  onOpen,
  onIntent,
  initialView = 'month',
  hasDialog = true,
}: CalendarCardProps) {
  const isNarrow = useMediaQuery(phoneQuery)
  const isPhone = isNarrow || initialView === 'list'
  const now = useMinute()
  const [date, setDate] = useState(() => new Date())
  const [gridView, setGridView] = useState<CalendarView>(
    initialView === 'list' ? 'month' : initialView,
  )
  const view = isPhone ? 'month' : gridView
  const days = daysOf(date, view)
  const { events, isOffline, hasFailed, retry } = useEvents(days)
  const grid = useQuery({ ...gridPart, enabled: !isPhone })
  const Heading = headingLevel === 2 ? ('h2' as const) : ('h3' as const)

  const entries = useMemo(() => {
    const shown = type === null ? events : events?.filter((event) => event.type === type)
    return shown && calendarEntries(shown)
  }, [events, type])
  const count = entries?.filter(({ event }) => days.from <= event.date && event.date <= days.to)

  const gridFailed = !isPhone && grid.isError && !grid.isFetching
  const isGridOffline = !isPhone && !grid.data && grid.fetchStatus === 'paused'
  const problem =
    gridFailed || isGridOffline || (!entries && (isOffline || hasFailed)) ? (
      <LoadProblem
        isOffline={isOffline || isGridOffline}
        onRetry={() => {
          if (hasFailed) retry()
          if (gridFailed) void grid.refetch()
        }}
      />
    ) : null

  const calendar = { date, entries, now, today: dayOf(new Date(now)), problem, Heading, hasDialog }
  const actions = { onDate: setDate, onOpen, onIntent }
  const Grid = grid.data

  return (
    <div className={styles.root} aria-busy={!entries}>
      {isPhone ? (
        <MonthList {...calendar} {...actions} />
      ) : Grid ? (
        <Grid {...calendar} {...actions} view={view} onView={setGridView} />
      ) : (
        <GridSkeleton date={date} problem={problem} Heading={Heading} />
      )}
      {isCounting && (
        <p className="visually-hidden" aria-live="polite">
          {count && `${count.length} ${count.length === 1 ? 'event' : 'events'} shown`}
        </p>
      )}
    </div>
  )
}

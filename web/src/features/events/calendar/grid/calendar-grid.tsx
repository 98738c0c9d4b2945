import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { Calendar, type Components, type NavigateAction } from 'react-big-calendar'
import { byDay, type CalendarEntry, type CalendarProps } from '../entries'
import { type CalendarView, daysOf } from '../period'
import { GridContext } from './grid-context'
import { eventButtons, gridKeys, targetOf } from './grid-keys'
import { formats, localizer } from './localizer'
import { MonthView } from './month-view'
import { DayColumn, DayHead, TimeEvent, TimeGutter } from './time-parts'
import styles from './time-view.module.css'
import { Toolbar } from './toolbar'
import { useTravel } from './use-travel'
import { waitingViews } from './waiting-view'

const views = { month: MonthView, week: true, day: true }
// The library's types omit some of the props that it passes to wrappers.
const components = {
  toolbar: Toolbar,
  eventWrapper: TimeEvent,
  header: DayHead,
  dayColumnWrapper: DayColumn,
  timeGutterWrapper: TimeGutter,
} as unknown as Components<CalendarEntry>
const noEntries: CalendarEntry[] = []

interface CalendarGridProps extends CalendarProps {
  view: CalendarView
  onView: (view: CalendarView) => void
}

/** The calendar of wide screens: month, week and day, with a toolbar (spec §2, §9). */
export function CalendarGrid(props: CalendarGridProps) {
  const { date, view, entries, problem, onDate, onView } = props
  const root = useRef<HTMLDivElement>(null)
  const titleId = useId()
  const days = useMemo(() => byDay(entries ?? noEntries), [entries])
  const isReady = entries !== undefined && !problem
  const endId = `${titleId}end`

  const focusFirst = useFocusFirst(root, titleId, isReady)
  const fadeOut = useTravel(root, date, view)
  useTimeScroll(root, { date, view, days, isReady, titleId })

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
    const from = (event.target as Element).closest<HTMLElement>('[data-event]')
    if (!from || hasModifier || !gridKeys.includes(event.key) || from.closest('dialog')) return
    event.preventDefault()
    const target = targetOf(event.key, eventButtons(event.currentTarget), from)
    if (target instanceof HTMLElement) {
      target.focus()
    } else if (target) {
      focusFirst()
      navigate(target)
    }
  }

  const navigate = (action: NavigateAction) => {
    fadeOut()
    onDate(waitingViews[view].navigate(date, action, {}))
  }

  return (
    <GridContext value={{ ...props, days, titleId, endId }}>
      {/* The keys are a shortcut between buttons, each of which Tab reaches too. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div ref={root} className={styles.root} onKeyDown={onKeyDown}>
        <Calendar<CalendarEntry>
          localizer={localizer}
          formats={formats}
          components={components}
          events={entries ?? noEntries}
          views={isReady ? views : waitingViews}
          view={view}
          date={date}
          step={30}
          timeslots={2}
          length={30}
          longPressThreshold={250}
          dayLayoutAlgorithm="no-overlap"
          showMultiDayTimes
          enableAutoScroll={false}
          drilldownView={null}
          onNavigate={(next) => {
            fadeOut()
            onDate(next)
          }}
          onView={(next) => {
            onView(next as CalendarView)
          }}
        />
        <div id={endId} tabIndex={-1} />
      </div>
    </GridContext>
  )
}

/**
 * Returns a function that focuses the first event of the next period shown, or its title if it has
 * none (guide §9). The title has the focus while the events load.
 */
export function useFocusFirst(
  grid: RefObject<HTMLElement | null>,
  titleId: string,
  isReady: boolean,
): () => void {
  const isWanted = useRef(false)

  useEffect(() => {
    if (!isWanted.current || !grid.current) return
    const title = document.getElementById(titleId)
    const first = isReady ? eventButtons(grid.current)[0] : undefined
    ;(first ?? title)?.focus()
    if (isReady) isWanted.current = false
  })

  return () => {
    isWanted.current = true
  }
}

const hourHeight = 56
/** The initial scroll position of week and day without events: 7 AM (guide §6). */
const emptyHour = 7

interface TimeScroll {
  date: Date
  view: CalendarView
  days: ReadonlyMap<string, CalendarEntry[]>
  isReady: boolean
  titleId: string
}

/** Scrolls week and day to their first event, and makes them scrollable by keyboard. */
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
    // The library creates this element and has no option for its attributes.
    const content = grid.current?.querySelector<HTMLElement>('.rbc-time-content')
    if (!content || !isReady) return
    content.tabIndex = 0
    content.setAttribute('role', 'region')
    content.setAttribute('aria-labelledby', titleId)
    content.scrollTop = first * hourHeight - 8
  }, [grid, view, from, first, isReady, titleId])
}

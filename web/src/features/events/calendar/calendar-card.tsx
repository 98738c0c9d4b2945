import { type RefObject, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react'
import type { CalendarEvent } from '../../../api/types'
import { Alert } from '../../../components/ui/alert'
import { buttonClass } from '../../../components/ui/button'
import { EmptyState } from '../../../components/ui/empty-state'
import { Icon } from '../../../components/ui/icon'
import { Skeleton } from '../../../components/ui/loading'
import { classNames } from '../../../lib/class-names'
import { useMinute } from '../../../lib/hydration'
import { narrowQuery } from '../../../lib/use-media-query'
import { useEvents } from '../use-events'
import styles from './calendar-card.module.css'
import { CalendarContext, useCalendar } from './calendar-context'
import { groupByDay, type CalendarEntry, calendarEntries } from './entries'
import type * as Navigation from './grid-navigation'
import { LoadError } from '../load-error'
import { MonthTable } from './month-table'
import { type NearestEvent, useNearestEvent } from './nearest-event'
import {
  addDays,
  type CalendarView,
  dayOf,
  daysOf,
  isInCalendar,
  namesOf,
  type Period,
  stepFrom,
} from './period'
import { PeriodLink, Toolbar } from './toolbar'
import { usePeriod, useToday } from './use-period'
import { useRetryFocus } from './use-time-grid'

const noEntries: CalendarEntry[] = []

interface CalendarCardProps {
  /** Only events of this type; all by default. */
  type?: string | null
  /** The level of the period's heading. */
  headingLevel: 2 | 3
  /** Announces the number of events of the period in a live region. */
  announcesCount?: boolean
  onOpen: (event: CalendarEvent) => void
  /** Called when the pointer or the focus is on an event, whose dialog can be loaded now. */
  onPreload: () => void
  /** The initial view; `list` shows the month's list in windows that are not narrow too. */
  initialView?: CalendarView | 'list'
  /** Whether events open in a dialog, not on a page in a new tab as in another site's page. */
  hasDialog?: boolean
}

/**
 * The calendar: a month, in windows that are not narrow also week and day (spec §2, Calendar component).
 * In narrow windows and with the initial view `list`, `use-period.ts` replaces week and day by the month,
 * and `calendar-card.module.css` has the month shown as a list. The month's markup is the same for all
 * widths, so that the server can render it.
 */
export function CalendarCard({
  type = null,
  headingLevel,
  announcesCount = false,
  onOpen,
  onPreload,
  initialView = 'month',
  hasDialog = true,
}: CalendarCardProps) {
  const now = useMinute()
  const today = useToday()
  const { period, pendingView, grid, latest, hrefOf, show } = usePeriod(
    today,
    initialView,
    !hasDialog,
  )
  const { TimeGrid } = grid
  const { from, to } = daysOf(period)
  const isMonth = period.view === 'month'
  // In a week or a day, an event of the day before may continue after midnight.
  const first = isMonth ? from : addDays(from, -1)
  const { events, isOffline, hasFailed, retry } = useEvents({ from: first, to })
  const Heading = headingLevel === 2 ? ('h2' as const) : ('h3' as const)
  const id = useId()
  const [titleId, endId] = [`${id}title`, `${id}end`]
  const body = useRef<HTMLDivElement>(null)

  const entries = useMemo(() => {
    const shown = events?.filter(
      ({ date, type: own }) => first <= date && date <= to && (type === null || own === type),
    )
    return shown && calendarEntries(shown).filter(({ end }) => from <= dayOf(end))
  }, [events, type, first, from, to])
  const days = useMemo(() => groupByDay(entries ?? noEntries), [entries])
  const count = entries?.length ?? 0
  const isOver =
    period.day === today && isMonth && !entries?.some(({ event }) => event.date >= today)
  const isOverOrEmpty = entries !== undefined && (count === 0 || isOver)
  const loaded = isOverOrEmpty ? events : undefined
  const nearest = useNearestEvent({ from, to }, today, now, type, loaded, count === 0)

  const hasProblem = !entries && (isOffline || hasFailed)
  const isReady = entries !== undefined

  const { navigation, focusFirst } = useGridNavigation(body, titleId, period, isReady)
  const retryView = () => {
    grid.retry(body.current)
  }
  const onShow = (shown: Period) => {
    if (shown.view === pendingView && shown.day === period.day) {
      retryView()
      return
    }
    // Until its code has loaded, a week or a day does not replace the month.
    if (shown.view === 'month' || TimeGrid) navigation.current?.animateExit(body.current)
    show(shown)
  }
  const onStep = (direction: -1 | 1) => {
    const next = stepFrom(latest.current, direction)
    if (isInCalendar(next.day)) onShow(next)
  }
  const following = stepFrom(period, 1)
  const nearestEventLink = nearest && (
    <NearestEventLink nearest={nearest} view={period.view} titleId={titleId} />
  )

  return (
    <CalendarContext value={{ now, today, days, hasDialog, onOpen, onPreload, hrefOf, onShow }}>
      <div
        className={classNames(styles.root, initialView === 'list' && styles.list)}
        aria-busy={!entries || grid.isLoading}
      >
        <Toolbar
          {...{ period, count, titleId, endId, Heading, onStep }}
          loadingView={grid.isLoading ? pendingView : undefined}
        />
        {/* One alert at a time: that of the events retries both. */}
        {pendingView && grid.hasProblem && isReady && (
          <ViewProblem view={pendingView} isOffline={grid.isOffline} onRetry={retryView} />
        )}
        {/* The keys are a shortcut between links, each of which Tab reaches too. */}
        {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
        <div
          ref={body}
          className={classNames(styles.body, hasProblem && styles.hasProblem)}
          onKeyDown={(event) => {
            const target = navigation.current?.focusTargetOf(event)
            if (typeof target === 'object') {
              target.focus()
            } else if (target && isInCalendar(stepFrom(latest.current, target).day)) {
              focusFirst(stepFrom(latest.current, target))
              onStep(target)
            }
          }}
        >
          {hasProblem ? (
            <LoadError
              isOffline={isOffline}
              onRetry={() => {
                retry()
                if (grid.hasProblem) retryView()
              }}
            />
          ) : isMonth ? (
            <MonthTable day={period.day} titleId={titleId} nearestEventLink={nearestEventLink} />
          ) : (
            isReady && TimeGrid && <TimeGrid period={period} entries={entries} titleId={titleId} />
          )}
          {!hasProblem && !isReady && <LoadingPlaceholder isMonth={isMonth} />}
          {isReady && count === 0 && (
            <div className={styles.empty}>
              <div className={styles.note}>
                <EmptyState
                  title={`No events scheduled ${period.view === 'day' ? 'on this day' : `this ${period.view}`}`}
                >
                  {isInCalendar(following.day) && (
                    <PeriodLink
                      className={buttonClass({ size: 'small' })}
                      rel="nofollow"
                      period={following}
                      onFollow={() => {
                        // The link is removed with this period.
                        focusOn(titleId)
                        onStep(1)
                      }}
                    >
                      Next {period.view} <Icon name="next" />
                    </PeriodLink>
                  )}
                  {nearestEventLink}
                </EmptyState>
              </div>
            </div>
          )}
        </div>
        {announcesCount && (
          <p className="visually-hidden" aria-live="polite">
            {entries && `${count} ${count === 1 ? 'event' : 'events'} shown`}
          </p>
        )}
        <div id={endId} tabIndex={-1} />
      </div>
    </CalendarContext>
  )
}

interface ViewProblemProps {
  /** The view that could not be loaded. */
  view: CalendarView
  isOffline: boolean
  onRetry: () => void
}

/** Says beside the controls that a view could not be loaded; the month stays. */
function ViewProblem({ view, isOffline, onRetry }: ViewProblemProps) {
  const root = useRef<HTMLDivElement>(null)
  useRetryFocus(root)
  return (
    <div ref={root} className={styles.problem}>
      {isOffline ? (
        <Alert title="You are offline">The {view} appears as soon as the connection is back.</Alert>
      ) : (
        <Alert title={`Unable to load the ${view}`} onRetry={onRetry} />
      )}
    </div>
  )
}

function focusOn(id: string) {
  document.getElementById(id)?.focus({ preventScroll: true })
}

interface NearestEventLinkProps {
  nearest: NearestEvent
  view: CalendarView
  titleId: string
}

/** Leads from a period without events to that of the next event, or of the last one. */
function NearestEventLink({ nearest, view, titleId }: NearestEventLinkProps) {
  const { onShow } = useCalendar()
  const { title, date } = nearest.event
  const period = { view, day: date }
  const { month, date: number, year } = namesOf(date)
  return (
    <p className={styles.next}>
      <PeriodLink
        period={period}
        onFollow={() => {
          focusOn(titleId)
          onShow(period)
        }}
      >
        {`${nearest.isNext ? 'Next' : 'Last'} event: ${title}, ${month} ${number}, ${year}`}
      </PeriodLink>
    </p>
  )
}

/** Placeholder for the content of a period while it loads (guide §7). */
function LoadingPlaceholder({ isMonth }: { isMonth: boolean }) {
  return (
    <>
      <p className="visually-hidden">Loading events...</p>
      {isMonth ? (
        // The month's grid is its own placeholder.
        <div className={styles.loadingRows}>
          {[0, 1, 2, 3].flatMap((row) => [
            <Skeleton key={`${row}date`} className={styles.loadingDate} />,
            <Skeleton key={`${row}card`} className={styles.loadingCard} />,
          ])}
        </div>
      ) : (
        <Skeleton className={styles.loading} />
      )}
    </>
  )
}

/**
 * The keyboard shortcuts and animations (`grid-navigation.ts`), loaded after the first render unless the
 * window is narrow. `focusFirst` focuses the first event of a period once it is shown, or its title if
 * it has none (guide §9); the title has the focus while the events load.
 */
function useGridNavigation(
  body: RefObject<HTMLElement | null>,
  titleId: string,
  { view, day }: Period,
  isReady: boolean,
) {
  const navigation = useRef<typeof Navigation>(null)
  const last = useRef({ view, day })
  const focusedPeriod = useRef<string>(null)
  const { from } = daysOf({ view, day })

  useEffect(() => {
    if (matchMedia(narrowQuery).matches) return
    import('./grid-navigation').then(
      (loaded) => {
        navigation.current = loaded
      },
      // The calendar works without.
      () => undefined,
    )
  }, [])
  useLayoutEffect(() => {
    const { view: lastView, day: lastDay } = last.current
    last.current = { view, day }
    if (view !== lastView) navigation.current?.animateEntry(body.current, 0)
    else if (day !== lastDay) navigation.current?.animateEntry(body.current, day < lastDay ? -1 : 1)
  }, [body, view, day])
  useEffect(() => {
    if (focusedPeriod.current !== from || !isReady || !body.current) return
    focusedPeriod.current = null
    const first = navigation.current?.eventLinks(body.current)[0]
    if (first) first.focus()
    else focusOn(titleId)
  })

  return {
    navigation,
    focusFirst: (period: Period) => {
      focusedPeriod.current = daysOf(period).from
      focusOn(titleId)
    },
  }
}

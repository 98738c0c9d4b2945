import { format, getDay, startOfWeek } from 'date-fns'
import { type CSSProperties, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import {
  Calendar,
  type Components,
  dateFnsLocalizer,
  type DayLayoutFunction,
  type EventWrapperProps,
} from 'react-big-calendar'
import type { CalendarEvent } from '../../../api/types'
import { classNames } from '../../../lib/class-names'
import { dayLabel } from '../event-time'
import { useCalendar } from './calendar-context'
import type { CalendarEntry } from './entries'
import { EventChip } from './event-chip'
import { MoreEventsLink } from './month-table'
import { dayOf, daysOf, type Period } from './period'
import styles from './time-grid.module.css'
import { laneCount, layoutDay, minutesPerDay, type PositionedSpan, spanOf } from './time-layout'

/**
 * Date functions for the library, from date-fns. Entries have local dates already, so it works in
 * the browser's zone. Weeks start on Sunday.
 */
const localizer = Object.assign(dateFnsLocalizer({ format, getDay, startOfWeek, locales: {} }), {
  // Every day has 24 hours, also one whose midnight the browser's clocks skip.
  getMinutesFromMidnight: () => 0,
  getTotalMin: () => minutesPerDay - 1,
})
const views = { week: true, day: true } as const
/**
 * The least widths of an event beside others, of a day without such events, and of one without
 * events, in rem. A week with few events fits a narrow window; one with many is wider than the card
 * and scrolls sideways.
 */
const laneWidth = 5.75
const minDayWidth = 5.5
const minEmptyWidth = 5
/** The shares of a lane and of a day without events in the remaining width. */
const laneShare = 5
const emptyShare = 3
const sharedComponents = {
  header: DayHead,
  dayColumnWrapper: DayColumn,
  timeGutterWrapper: TimeGutter,
}
// The library's types omit some of the props that it passes to wrappers.
const components = {
  week: { ...sharedComponents, eventWrapper: TimeEvent },
  day: { ...sharedComponents, eventWrapper: DayEvent },
} as unknown as Record<'week' | 'day', Components<CalendarEntry>>

interface TimeGridProps {
  /** A week or a day. */
  period: Period
  entries: CalendarEntry[]
  titleId: string
}

/** The week and the day by hours (spec §2, §9). */
export function TimeGrid({ period, entries, titleId }: TimeGridProps) {
  const root = useRef<HTMLDivElement>(null)
  const view = period.view === 'week' ? 'week' : 'day'
  const [year = 0, month = 0, day = 0] = period.day.split('-').map(Number)
  const { days } = useCalendar()
  useTimeScroll(root, period, titleId)

  return (
    <div ref={root} className={classNames(styles.root, view === 'day' && styles.single)}>
      <Calendar<CalendarEntry>
        localizer={localizer}
        formats={{ timeGutterFormat: 'h a' }}
        components={components[view]}
        events={entries}
        views={views}
        view={view}
        date={new Date(year, month - 1, day)}
        toolbar={false}
        step={30}
        timeslots={2}
        length={30}
        longPressThreshold={250}
        dayLayoutAlgorithm={layoutEvents}
        dayPropGetter={(date) => {
          const entries = days.get(dayOf(date))
          if (!entries) return { style: { flexGrow: emptyShare, minWidth: `${minEmptyWidth}rem` } }
          const lanes = laneCount(entries)
          const width = lanes > 1 ? lanes * laneWidth : minDayWidth
          return { style: { flexGrow: lanes * laneShare, minWidth: `${width}rem` } }
        }}
        showMultiDayTimes
        enableAutoScroll={false}
        drilldownView={null}
        onNavigate={ignore}
        onView={ignore}
      />
    </div>
  )
}

function ignore() {
  // The calendar's own toolbar navigates.
}

const layoutEvents: DayLayoutFunction<CalendarEntry> = ({ events, slotMetrics }) => {
  const { groups } = slotMetrics as unknown as { groups: Date[][] }
  const start = groups[0]?.[0]
  const spans = start ? events.map((entry) => spanOf(entry, dayOf(start))) : []
  return layoutDay(spans).map(({ entry, hiddenCount, isCounted, top, height, left, width }) => ({
    event: { ...entry, hiddenCount, isCounted, ...(hiddenCount && { id: -entry.id }) },
    style: { top, height, width, xOffset: left },
  }))
}

interface TimeEventProps extends EventWrapperProps<
  CalendarEntry & Pick<PositionedSpan, 'hiddenCount' | 'isCounted'>
> {
  hasDescription?: boolean
}

/** An event at the position set by the layout, or a link to those that are not shown. */
function TimeEvent({ event, style, hasDescription = false }: TimeEventProps) {
  const { hrefOf } = useCalendar()
  const { top, height, width, xOffset } = style ?? {}
  const day = event.event.date
  return (
    <div
      className={classNames(styles.event, event.isCounted && styles.counted)}
      style={{
        top: percent(top),
        height: percent(height),
        width: percent(width),
        left: percent(xOffset),
      }}
    >
      {event.hiddenCount ? (
        <div className={styles.others}>
          <MoreEventsLink day={day} count={event.hiddenCount} href={hrefOf({ view: 'day', day })} />
        </div>
      ) : (
        <EventChip
          entry={event}
          layout="block"
          description={hasDescription ? descriptionText(event.event) : undefined}
        />
      )}
    </div>
  )
}

/** An event of the day view, with its description. */
function DayEvent(props: TimeEventProps) {
  return <TimeEvent {...props} hasDescription />
}

/** The library passes percentages as numbers, or lengths. */
function percent(length: string | number | undefined): string | undefined {
  return typeof length === 'number' ? `${length}%` : length
}

/** The head of a day's column. */
function DayHead({ date }: { date: Date }) {
  const { today } = useCalendar()
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
  style: CSSProperties
  className: string
  children: ReactNode
}

/** A day's column: a group with the day's name, highlighted if it has events. */
function DayColumn({ ref, date, style, className, children }: DayColumnProps) {
  const { days } = useCalendar()
  const day = dayOf(date)
  return (
    <div
      ref={ref}
      style={style}
      className={classNames(className, styles.column, days.has(day) && styles.hasEvents)}
      role="group"
      aria-label={dayLabel(day)}
    >
      {children}
    </div>
  )
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** The description as text without Markdown syntax. */
function descriptionText({
  description,
  descriptionHtml,
}: Pick<CalendarEvent, 'description' | 'descriptionHtml'>): string {
  return descriptionHtml === undefined
    ? description
    : descriptionHtml
        .replace(/<span[^>]*>.*?<\/span>/g, '')
        .replace(/<li>/g, '• ')
        .replace(/<(\/p|\/li|br)>/g, '\n')
        .replace(/<[^>]*>/g, '')
        .replace(/&(\w+);/g, (_, name: string) => entities[name] ?? '&')
        .trim()
}

/** The hours beside the columns; each event has its own time label. */
function TimeGutter({ children }: { children?: ReactNode }) {
  return (
    <div className={styles.gutter} aria-hidden="true">
      {children}
    </div>
  )
}

/** The initial scroll position of week and day without events: 7 AM (guide §6). */
const emptyHour = 7
/** Events that start earlier are at night. */
const morning = 5

/**
 * The first hour to show: that of the first event of a day's working hours, or else at night. An event of the day before
 * `from` continues after midnight.
 */
function firstHour(entries: readonly CalendarEntry[], from: string): number {
  const hours = entries.map(({ event, start }) => (event.date < from ? 0 : start.getHours()))
  const byDay = hours.filter((hour) => hour >= morning)
  return Math.min(...(byDay.length > 0 ? byDay : hours.length > 0 ? hours : [emptyHour]))
}

/** Scrolls week and day to their first event, and makes them scrollable by keyboard. */
function useTimeScroll(root: RefObject<HTMLElement | null>, period: Period, titleId: string): void {
  const { days } = useCalendar()
  const { from } = daysOf(period)
  const first = firstHour([...days.values()].flat(), from)

  useLayoutEffect(() => {
    // The library creates this element and has no option for its attributes.
    const content = root.current?.querySelector<HTMLElement>('.rbc-time-content')
    if (!content) return
    content.tabIndex = 0
    content.setAttribute('role', 'region')
    content.setAttribute('aria-labelledby', titleId)
    // An hour is as high as the text is large.
    content.scrollTop = (first / 24) * content.scrollHeight - 8
  }, [root, period.view, from, first, titleId])
}

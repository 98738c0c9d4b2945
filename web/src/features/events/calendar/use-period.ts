import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { defaultTimeZone } from '../../../api/generated/contract'
import { useClientValue, usePageTime } from '../../../lib/hydration'
import { useCurrentQueryString } from '../../../lib/use-current-query-string'
import { narrowQuery, subscribeToMedia } from '../../../lib/use-media-query'
import { dayAt } from '../event-time'
import { type CalendarView, dayOf, parametersOf, type Period, periodIn } from './period'
import { useTimeGrid } from './use-time-grid'

/** The page's parameters that stay when the period changes. */
const preservedParameters = ['type', 'theme']

/**
 * The visitor's day, which is read again in each render. The first render uses the day of the page in
 * the default time zone, as the server does, which does not know the visitor's.
 */
export function useToday(): string {
  return useClientValue(() => dayOf(new Date()), dayAt(usePageTime() ?? 0, defaultTimeZone))
}

const subscribe = subscribeToMedia(narrowQuery)

/**
 * Whether the calendar shows the month when `requestedView` is requested: narrow windows have the month
 * only. True on the server. If the month is requested, it is true for all widths, so that it causes no
 * further render after hydration or when the window is resized.
 */
function useShowsMonth(requestedView: CalendarView): boolean {
  return useSyncExternalStore(
    subscribe,
    () => requestedView === 'month' || matchMedia(narrowQuery).matches,
    () => true,
  )
}

/**
 * The period that the calendar shows. It is in the URL: Back returns to the last one, a reload
 * stays, and links to others work without scripts. Until the code of a week or a day has loaded, it is
 * the month that the server rendered or from which the visitor comes, and `pendingView` the one requested.
 */
export function usePeriod(today: string, initialView: CalendarView | 'list', isEmbedded: boolean) {
  const { pathname, search } = useLocation()
  const currentQueryString = useCurrentQueryString()
  const navigate = useNavigate()
  const first = initialView === 'list' ? 'month' : initialView
  const requested = periodIn(new URLSearchParams(search), today, first)
  const showsMonth = useShowsMonth(requested.view)
  const view = showsMonth || initialView === 'list' ? 'month' : requested.view
  const grid = useTimeGrid(view !== 'month')
  const pendingView = view !== 'month' && !grid.TimeGrid ? view : undefined
  const period: Period = { ...requested, view: pendingView ? 'month' : view }

  // Steps count from the last period requested, which may not have been rendered yet.
  const latest = useRef(period)
  useEffect(() => {
    latest.current = period
  })

  const queryStringWith = (queryString: string, next: Period) => {
    const current = new URLSearchParams(queryString)
    const parameters = new URLSearchParams(
      preservedParameters.flatMap((name) => current.getAll(name).map((value) => [name, value])),
    )
    if (initialView === 'list') parameters.set('view', 'list')
    for (const [name, value] of parametersOf(next, today, first)) parameters.append(name, value)
    return parameters.size > 0 ? `?${parameters.toString()}` : ''
  }

  return {
    period,
    pendingView,
    grid,
    latest,
    /** The URL of a period; a page load scrolls to the calendar. */
    hrefOf: (next: Period) => `${pathname}${queryStringWith(search, next)}#calendar`,
    show: (next: Period) => {
      latest.current = next
      // In another site's page, Back must leave that page.
      navigate({ search: queryStringWith(currentQueryString(), next) }, { replace: isEmbedded })
    },
  }
}

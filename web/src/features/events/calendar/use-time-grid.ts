import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { reloadPage } from '../../../components/load-failure'
import { componentQuery } from '../../../lib/lazy'
import { serverRuntime } from '../../../lib/server-runtime'
import { narrowQuery } from '../../../lib/use-media-query'

const importTimeGrid = async () => (await import('./time-grid')).TimeGrid

/** Week and day with their library, which the month does not need. */
const timeGridQuery = componentQuery('time-grid', importTimeGrid)

// A URL with a week or a day takes it: it need not wait until the calendar is hydrated.
if (
  !serverRuntime &&
  /[?&]view=(week|day)\b/.test(location.search) &&
  !matchMedia(narrowQuery).matches
) {
  // The query tries again and handles the error.
  importTimeGrid().catch(() => undefined)
}

/** The code of week and day, loaded while `isWanted`. */
export function useTimeGrid(isWanted: boolean) {
  const query = useQuery({ ...timeGridQuery, enabled: isWanted })
  const TimeGrid = query.data
  const isMissing = isWanted && !TimeGrid
  const isOffline = isMissing && query.fetchStatus === 'paused'

  return {
    TimeGrid,
    isLoading: isMissing && query.isFetching,
    isOffline,
    /** Also during another attempt, so that its button keeps the focus. */
    hasProblem: isOffline || (isMissing && query.errorUpdateCount > 0),
    retry: (calendar: Element | null) => {
      if (query.isFetching) return
      void query.refetch().then(({ isError }) => {
        // A browser does not request a failed chunk again.
        if (isError) reloadPage(calendar)
      })
    },
  }
}

/**
 * Focuses the button of an attempt that reloaded the page and failed again: the reload focuses the
 * section.
 */
export function useRetryFocus(problem: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const alert = problem.current
    if (alert?.closest('section, main') === document.activeElement) {
      alert.querySelector('button')?.focus()
    }
  }, [problem])
}

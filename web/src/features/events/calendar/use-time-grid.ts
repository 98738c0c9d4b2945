import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { reloadPage } from '../../../components/load-failure'
import { componentQuery } from '../../../lib/lazy'
import { serverRuntime } from '../../../lib/server-runtime'
import { phoneQuery } from '../../../lib/use-media-query'

const importTimeGrid = async () => (await import('./time-grid')).TimeGrid

/** Week and day with their library, which the month does not need. */
const timeGridQuery = componentQuery('time-grid', importTimeGrid)

// An address with a week or a day takes it: it need not wait until the calendar is hydrated.
if (
  !serverRuntime &&
  /[?&]view=(week|day)\b/.test(location.search) &&
  !matchMedia(phoneQuery).matches
) {
  // The query tries again and handles the error.
  importTimeGrid().catch(() => undefined)
}

/** The address at which another attempt reloaded the page, in the session's storage. */
const retryKey = 'lectern.time-grid-retry'

/** The code of week and day, loaded while `isWanted`. */
export function useTimeGrid(isWanted: boolean) {
  const query = useQuery({ ...timeGridQuery, enabled: isWanted })
  const TimeGrid = query.data
  const isMissing = isWanted && !TimeGrid

  useEffect(() => {
    if (TimeGrid) forgetRetry()
  }, [TimeGrid])

  return {
    TimeGrid,
    isLoading: isMissing && query.isFetching,
    isOffline: isMissing && query.fetchStatus === 'paused',
    /** Whether an attempt has failed; also during the next one, so that its button keeps the focus. */
    hasFailed: isMissing && query.errorUpdateCount > 0,
    retry: (calendar: Element | null) => {
      if (query.isFetching) return
      void query.refetch().then(({ isError }) => {
        if (!isError) return
        // A browser does not request a failed chunk again.
        try {
          sessionStorage.setItem(retryKey, location.href)
        } catch {
          // Where storage is blocked, the button does not have the focus afterwards.
        }
        reloadPage(calendar)
      })
    },
  }
}

function forgetRetry(): boolean {
  try {
    const isRetried = sessionStorage.getItem(retryKey) === location.href
    sessionStorage.removeItem(retryKey)
    return isRetried
  } catch {
    return false
  }
}

/**
 * Focuses the button of an attempt that reloaded the page and failed again, unless the visitor has
 * gone elsewhere: the reload focuses the section.
 */
export function useRetryFocus(problem: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { activeElement } = document
    const section = problem.current?.closest('section, main')
    if (forgetRetry() && (activeElement === section || activeElement === document.body)) {
      problem.current?.querySelector('button')?.focus()
    }
  }, [problem])
}

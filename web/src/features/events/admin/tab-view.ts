import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { focusOpener } from '../../../lib/use-open-form'

/** The parameter of the URL with what the Events tab shows instead of the list. */
const parameter = 'view'

/** Its values: the deleted events, or the import. */
export const tabViews = ['deleted', 'import'] as const
export type TabView = (typeof tabViews)[number]

/** The titles of the views. */
export const viewTitles: Readonly<Record<TabView, string>> = {
  deleted: 'Recently Deleted',
  import: 'Import Events',
}

/** Whether the parameters of a URL show a view of the tab. */
export function isViewShown(parameters: URLSearchParams, view: TabView): boolean {
  return parameters.get(parameter) === view
}

/**
 * Whether the URL shows a view of the tab. When that changes, the focus goes to the heading, or back
 * to the link that was followed.
 */
export function useTabView(view: TabView): boolean {
  const [parameters] = useSearchParams()
  const isShown = isViewShown(parameters, view)
  const wasShown = useRef(isShown)

  useEffect(() => {
    if (wasShown.current === isShown) return
    wasShown.current = isShown
    focusOpener(view)
  }, [isShown, view])

  return isShown
}

/** The query string that shows a view of the tab, or the list if it is null. The list's filter stays in it. */
export function useViewQueryString(view: TabView | null): string {
  const [current] = useSearchParams()
  const parameters = new URLSearchParams(current)
  if (view === null) parameters.delete(parameter)
  else parameters.set(parameter, view)
  return `?${parameters.toString()}`
}

import { use } from 'react'
import type { History } from '@remix-run/router'
import { UNSAFE_NavigationContext as NavigationContext } from 'react-router-dom'

/**
 * Returns a function that reads the current query string of the URL. While a navigation renders,
 * `useLocation` still returns the previous URL, from which a second navigation would undo the first.
 */
export function useCurrentQueryString(): () => string {
  const history = use(NavigationContext).navigator as unknown as Pick<History, 'location'>
  return () => history.location.search
}

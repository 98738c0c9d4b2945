import { use } from 'react'
import type { History } from '@remix-run/router'
import { UNSAFE_NavigationContext as NavigationContext } from 'react-router-dom'

/**
 * Returns a function that reads the current query of the address. While a
 * navigation renders, `useLocation` still returns the previous address, from which a second navigation
 * would undo the first.
 */
export function useCurrentSearch(): () => string {
  const history = use(NavigationContext).navigator as unknown as Pick<History, 'location'>
  return () => history.location.search
}

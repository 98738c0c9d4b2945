import { createBrowserHistory, type History } from '@remix-run/router'
import { type ReactNode, startTransition, useEffect, useLayoutEffect, useState } from 'react'
import { type Navigator, type Path, Router } from 'react-router-dom'
import { openAsPage } from '../components/load-failure'
import { loadPage } from '../lib/load-page'
import { codeToLoad } from './router'

interface BrowserRouterProps {
  /** The location for which the server rendered the page; undefined if it did not. */
  serverLocation: Pick<Path, 'pathname' | 'search'> | undefined
  children: ReactNode
}

/**
 * A router on the browser's history that hydrates the server's markup. The server knows neither the
 * hash nor most of the query, so the hydrating render does without them. A navigation completes when
 * the code of the route and its sections has loaded; until then, and if loading fails, the current page
 * stays.
 */
export function BrowserRouter({ serverLocation, children }: BrowserRouterProps) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }))
  const [navigator] = useState<Navigator & Pick<History, 'location'>>(() => ({
    get location() {
      return history.location
    },
    createHref: (to) => history.createHref(to),
    go: (steps) => {
      history.go(steps)
    },
    push: (to, state) => {
      showWhenLoaded(history.createHref(to), 'push', () => {
        history.push(to, state)
      })
    },
    replace: (to, state) => {
      showWhenLoaded(history.createHref(to), 'replace', () => {
        history.replace(to, state)
      })
    },
  }))
  const [{ action, location }, setState] = useState({
    action: history.action,
    location: serverLocation
      ? { ...history.location, ...serverLocation, hash: '' }
      : history.location,
  })

  useLayoutEffect(() => {
    let last = history.location
    return history.listen(({ action, location }) => {
      const isScroll = location.pathname === last.pathname && location.search === last.search
      last = location
      const show = () => {
        startTransition(() => {
          setState({ action, location })
        })
      }
      const code = codeToLoad(location.pathname, true)
      if (code) {
        code.load().then(show, () => {
          // The browser has scrolled to a hash by itself.
          if (!isScroll) loadPage(history.createHref(location))
        })
      } else show()
    })
  }, [history])
  useEffect(() => {
    startTransition(() => {
      setState((state) => {
        const { search, hash } = history.location
        const isComplete = search === state.location.search && hash === state.location.hash
        return isComplete ? state : { ...state, location: { ...state.location, search, hash } }
      })
    })
  }, [history])

  return (
    <Router location={location} navigationType={action} navigator={navigator}>
      {children}
    </Router>
  )
}

/** Runs `show` when the code of the page at `href` has loaded. */
function showWhenLoaded(href: string, kind: 'push' | 'replace', show: () => void): void {
  const { pathname, search, hash } = new URL(href, location.href)
  const code = codeToLoad(pathname, true)
  if (!code) show()
  // Only a scroll, which must not wait.
  else if (hash && pathname === location.pathname && search === location.search) loadPage(href)
  else {
    code.load().then(show, (cause: unknown) => {
      console.warn('A route could not be loaded', cause)
      openAsPage(href, 'The page could not be opened. Please try again.', (href) => {
        loadPage(href, kind)
      })
    })
  }
}

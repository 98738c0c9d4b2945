import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'
import { host } from '../lib/host'
import { useSite } from './first-data'

/**
 * Does what a page load does when another screen is opened: scrolls to the element in the URL's
 * hash, or to the top, and focuses the heading, which screen readers announce. On Back and Forward
 * the browser restores the position.
 */
export function useArrival(): void {
  const { pathname, hash, key } = useLocation()
  const navigation = useNavigationType()
  const lastPathname = useRef<string>(null)

  useEffect(() => {
    const isFirst = lastPathname.current === null
    const isOtherScreen = !isFirst && lastPathname.current !== pathname
    lastPathname.current = pathname
    // Closing an event's dialog with Back must not scroll to the hash again.
    const isBack = navigation === NavigationType.Pop && !isFirst && !isOtherScreen
    // The browser has scrolled the server's markup to the hash, which the first render does without.
    if (isFirst && window.scrollY > 0) return
    const target = isFirst ? window.location.hash : hash
    if (target) {
      if (isBack) return
      const behavior = isOtherScreen ? 'instant' : 'auto'
      document.getElementById(target.slice(1))?.scrollIntoView({ behavior })
    } else if (isOtherScreen && navigation !== NavigationType.Pop) {
      window.scrollTo({ top: 0, behavior: 'instant' })
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    }
  }, [pathname, hash, key, navigation])
}

/** The location key and the title of the page as served. */
const served = { key: 'default', title: host ? '' : document.title }

/** Sets the document's title; the page as served keeps the server's title. */
export function useDocumentTitle(screen: string): void {
  const { name } = useSite()
  const { key } = useLocation()

  useEffect(() => {
    const isServed = key === served.key && served.title !== ''
    document.title = isServed ? served.title : screen === name ? name : `${screen} — ${name}`
  }, [screen, name, key])
}

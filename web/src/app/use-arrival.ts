import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { useSite } from './first-data'

/**
 * Does what a page load does when another screen of the site is entered: goes to the part that the
 * address names, else to the top with the focus on the heading, so that it is read out. Going back
 * leaves the place to the browser.
 */
export function useArrival(): void {
  const { pathname, hash, key } = useLocation()
  const navigation = useNavigationType()
  const lastPathname = useRef<string>(null)

  useEffect(() => {
    const isFirst = lastPathname.current === null
    const isOtherScreen = !isFirst && lastPathname.current !== pathname
    lastPathname.current = pathname
    // Back to an address with a hash, from an open event for one, is no wish to go there again.
    const isBack = navigation === NavigationType.Pop && !isFirst && !isOtherScreen
    if (hash) {
      if (isBack) return
      const behavior = isOtherScreen ? 'instant' : 'auto'
      document.getElementById(hash.slice(1))?.scrollIntoView({ behavior })
    } else if (isOtherScreen && navigation !== NavigationType.Pop) {
      window.scrollTo({ top: 0, behavior: 'instant' })
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    }
  }, [pathname, hash, key, navigation])
}

/** The address key and title of the page as the server wrote it. */
const served = { key: 'default', title: document.title }

/** Titles the tab by its screen. The page that was loaded keeps the title that the server wrote. */
export function useDocumentTitle(screen: string): void {
  const { name } = useSite()
  const { key } = useLocation()

  useEffect(() => {
    const isServed = key === served.key && served.title !== ''
    document.title = isServed ? served.title : screen === name ? name : `${screen} — ${name}`
  }, [screen, name, key])
}

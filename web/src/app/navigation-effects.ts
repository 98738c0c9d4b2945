import { useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'
import { serverRuntime } from '../lib/server-runtime'
import { useSite } from './initial-data'

/**
 * Does on a navigation in the browser what a page load does: scrolls to the element in the URL's
 * hash, or to the top, and focuses the heading, which screen readers announce. On Back and Forward
 * the browser restores the position. It does so before the browser paints: no frame shows the new page
 * at the position of the last one.
 */
export function useScrollAndFocus(): void {
  const { pathname, hash, key } = useLocation()
  const navigation = useNavigationType()
  const lastPathname = useRef<string>(null)

  useLayoutEffect(() => {
    const isFirst = lastPathname.current === null
    const isOtherPage = !isFirst && lastPathname.current !== pathname
    lastPathname.current = pathname
    // Closing an event's dialog with Back must not scroll to the hash again.
    const isBack = navigation === NavigationType.Pop && !isFirst && !isOtherPage
    // The browser has already scrolled the server's markup to the hash.
    if (isFirst && window.scrollY > 0) return
    const target = isFirst ? window.location.hash : hash
    if (target) {
      if (isBack) return
      const behavior = isOtherPage ? 'instant' : 'auto'
      document.getElementById(target.slice(1))?.scrollIntoView({ behavior })
    } else if (isOtherPage && navigation !== NavigationType.Pop) {
      window.scrollTo({ top: 0, behavior: 'instant' })
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    }
  }, [pathname, hash, key, navigation])
}

/** Focuses the heading of a page whose data was not loaded yet when the visitor followed a link to it. */
export function useFocusOnceLoaded(): void {
  const navigation = useNavigationType()
  useLayoutEffect(() => {
    if (navigation === NavigationType.Pop || document.activeElement !== document.body) return
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [navigation])
}

/** The location key and the title of the page that the server rendered. */
const initialPage = { key: 'default', title: serverRuntime ? '' : document.title }

/**
 * Sets the document's title together with the page's content; the page as served keeps the server's
 * title, unless that names less than `title` does.
 */
export function useDocumentTitle(title: string, { keepsServed = true } = {}): void {
  const { name } = useSite()
  const { key } = useLocation()

  useLayoutEffect(() => {
    const isServed = keepsServed && key === initialPage.key && initialPage.title !== ''
    document.title = isServed ? initialPage.title : title === name ? name : `${title} — ${name}`
  }, [title, name, key, keepsServed])
}

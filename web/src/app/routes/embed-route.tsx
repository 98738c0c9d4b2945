import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { NewTabLink } from '../../components/links'
import { Toaster } from '../../components/ui/toaster'
import { embedOptionsIn } from '../../features/embed/embed-options'
import { CalendarCard } from '../../features/events/calendar/calendar-card'
import { useSite } from '../initial-data'
import { useDocumentTitle } from '../navigation-effects'
import { paths } from '../paths'
import styles from './embed-route.module.css'

/**
 * The calendar embedded in another site's page. Events open in a new tab: a dialog would be in the
 * middle of the frame, which may be much taller than the window and so out of view.
 */
export function EmbedRoute() {
  const { search } = useLocation()
  const { type, theme, view } = embedOptionsIn(search)
  const { name, baseUrl } = useSite()
  useDocumentTitle('Events Calendar')
  useHeightReport()

  // The server sets the theme in its markup, which `npm run dev` does not use.
  useLayoutEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme
  }, [theme])

  return (
    <main id="main" className={styles.root} tabIndex={-1}>
      <h1 className="visually-hidden">{type ?? 'Events Calendar'}</h1>
      <CalendarCard
        type={type}
        headingLevel={2}
        initialView={view}
        hasDialog={false}
        onOpen={({ path }) => {
          window.open(path, '_blank', 'noopener')
        }}
        onPreload={() => undefined}
      />
      <p className={styles.footer}>
        <NewTabLink href={baseUrl + paths.calendar}>{name}: the full calendar</NewTabLink>
      </p>
      <Toaster />
    </main>
  )
}

/** Reports the content's height to the embedding page, whenever it changes. */
function useHeightReport(): void {
  useEffect(() => {
    if (window.parent === window) return
    const root = document.getElementById('root')
    if (!root) return
    // The document's height would never be less than the frame's.
    const reportHeight = () => {
      const height = Math.ceil(root.getBoundingClientRect().height)
      // Any origin, because the content security policy limits which sites may embed the page.
      window.parent.postMessage({ type: 'lectern:height', height }, '*')
    }
    const observer = new ResizeObserver(reportHeight)
    observer.observe(root)
    return () => {
      observer.disconnect()
    }
  }, [])
}

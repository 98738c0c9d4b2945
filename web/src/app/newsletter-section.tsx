import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { HydrationSignal, type LazyComponent, retryUntilLoaded, useNearViewport } from '../lib/lazy'
import { SiteContext, useSite } from './initial-data'

interface NewsletterSectionProps {
  /** What the section shows. */
  content: LazyComponent
}

/** The newsletter section, whose code a page that the server rendered loads when the visitor scrolls near. */
export function NewsletterSection({ content: Content }: NewsletterSectionProps) {
  const [isLoaded] = useState(Content.isLoaded)
  return isLoaded ? (
    <HydrationSignal>
      <Content />
    </HydrationSignal>
  ) : (
    <ServedSection content={Content} />
  )
}

/** React sets the content when this object changes, and never when it hydrates. */
const served = { __html: '' }

/**
 * The server's markup, hydrated as a root of its own when its code has loaded. In the page's root it would hold
 * up each change of the URL until then, which offline is never.
 */
function ServedSection({ content: Content }: NewsletterSectionProps) {
  const root = useRef<HTMLDivElement>(null)
  const markup = useRef<Element>(null)
  // React warns of a root in an element whose content it sets.
  const [hasMarkup] = useState(() => document.getElementById('subscribe') !== null)
  const queryClient = useQueryClient()
  const site = useSite()
  useLayoutEffect(() => {
    // The root itself has no box.
    markup.current = root.current?.firstElementChild ?? null
  }, [])
  const isNear = useNearViewport(markup, '75%')

  useEffect(() => {
    const element = root.current
    if (!element || !isNear) return
    const unmounted = new AbortController()
    let hydrated: Root | undefined
    const hydrate = () => {
      if (unmounted.signal.aborted) return
      const content = (
        <QueryClientProvider client={queryClient}>
          <SiteContext value={site}>
            <HydrationSignal element={element}>
              <Content />
            </HydrationSignal>
          </SiteContext>
        </QueryClientProvider>
      )
      startTransition(() => {
        if (element.hasChildNodes()) hydrated = hydrateRoot(element, content)
        else (hydrated = createRoot(element)).render(content)
      })
    }
    const load = async () => {
      await online()
      return Content.load()
    }
    retryUntilLoaded(load, unmounted.signal).then(hydrate, () => undefined)
    return () => {
      unmounted.abort()
      // Clears the failed state (`early_clicks.js`), which this section can no longer clear itself.
      document.dispatchEvent(new Event('lectern:ready'))
      // React can't unmount a root while it renders another.
      setTimeout(() => hydrated?.unmount())
    }
  }, [isNear, Content, queryClient, site])

  return (
    <div
      ref={root}
      className="lazy-section"
      data-lazy=""
      suppressHydrationWarning
      dangerouslySetInnerHTML={hasMarkup ? served : undefined}
    />
  )
}

/** Waits for a connection: some browsers do not request a chunk again that failed without. */
async function online(): Promise<void> {
  if (navigator.onLine) return
  await new Promise((resolve) => {
    addEventListener('online', resolve, { once: true })
  })
}

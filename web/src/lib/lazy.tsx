import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type ComponentType,
  lazy,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'

/**
 * Loads a component for what the visitor opens. Offline it fails at once: the query would wait, and
 * open it when the visitor no longer expects it.
 */
export async function loadToOpen<Component>(
  queryClient: QueryClient,
  query: ReturnType<typeof componentQuery<Component>>,
): Promise<Component> {
  const loaded = queryClient.getQueryData(query.queryKey)
  if (loaded === undefined && !navigator.onLine) throw new Error('offline')
  return queryClient.query(query)
}

/**
 * A component that is imported on demand. The query imports it once, reports errors, can be retried
 * and waits while offline.
 */
export const componentQuery = <Component,>(name: string, load: () => Promise<Component>) =>
  queryOptions({
    queryKey: ['component', name],
    queryFn: load,
    structuralSharing: false,
    gcTime: Infinity,
  })

/**
 * A component without properties in a separate chunk, such as a route. After `load` it renders at once,
 * without suspending, on the server and in hydration.
 */
export function lazyChunk(importComponent: () => Promise<ComponentType>) {
  return lazyComponent(importComponent)
}

/**
 * A section of a page in a chunk of its own, for use in a Suspense boundary. The server's markup
 * stays until the chunk has loaded, however long that takes: its links work. It must not render again
 * before, or React replaces the markup by the boundary's fallback.
 */
export function lazySection<Props extends object>(
  importSection: () => Promise<ComponentType<Props>>,
) {
  return lazyComponent(async () => {
    const Section = await importSection()
    return function LazySection(props: Props) {
      return (
        <HydrationSignal>
          <Section {...props} />
        </HydrationSignal>
      )
    }
  }, retryUntilLoaded)
}

interface HydrationSignalProps {
  /** The element that contains the children; by default one is rendered around them. */
  element?: Element
  children: ReactNode
}

/** Signals that its children are hydrated: React ignores earlier clicks on them. */
export function HydrationSignal({ element, children }: HydrationSignalProps) {
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const target = element ?? root.current
    target?.dispatchEvent(new Event('lectern:ready', { bubbles: true }))
  }, [element])
  return element ? (
    children
  ) : (
    <div ref={root} className="lazy-section" data-lazy="">
      {children}
    </div>
  )
}

/** A component without properties that is loaded on demand. */
export type LazyComponent = ReturnType<typeof lazyChunk>

function lazyComponent<Props extends object>(
  importComponent: () => Promise<ComponentType<Props>>,
  attempt = (load: () => Promise<ComponentType<Props>>) => load(),
) {
  let Loaded: ComponentType<Props> | undefined
  const load = async () => {
    const Component = await importComponent()
    // The same for all that wait, as React would replace another one's markup.
    return (Loaded ??= Component)
  }
  const Lazy = lazy(async () => ({ default: await attempt(load) }))
  function Component(props: Props) {
    return Loaded ? <Loaded {...props} /> : <Lazy {...props} />
  }
  return Object.assign(Component, { load, isLoaded: () => Loaded !== undefined })
}

/** The delays before a chunk is requested again, in milliseconds. */
const firstDelay = 1000
const maxDelay = 30_000

/**
 * Repeats a failed import. Some browsers do not request a failed chunk again, so that only a reload
 * helps, which the page's inline script does when the visitor uses a control (`early_clicks.js`).
 * Rejects when the signal is aborted and the import fails.
 */
export async function retryUntilLoaded<Value>(
  load: () => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  for (let delay = firstDelay; ; delay = Math.min(2 * delay, maxDelay)) {
    try {
      return await load()
    } catch (cause) {
      signal?.throwIfAborted()
      console.warn('A section of the page could not be loaded', cause)
      document.dispatchEvent(new Event('lectern:failed'))
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
}

/**
 * Whether the element is or has been within `margin` of the viewport (spec §4: 75% for venue
 * images).
 */
export function useNearViewport(element: RefObject<Element | null>, margin: string): boolean {
  const [isNear, setIsNear] = useState(() => typeof IntersectionObserver === 'undefined')

  useEffect(() => {
    if (isNear || !element.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setIsNear(true)
      },
      { rootMargin: margin },
    )
    observer.observe(element.current)
    return () => {
      observer.disconnect()
    }
  }, [element, isNear, margin])

  return isNear
}

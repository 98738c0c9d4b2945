import { type ComponentProps, Suspense } from 'react'
import { Skeleton } from '../components/ui/loading'
import { lazySection } from '../lib/lazy'
import styles from './lazy-sections.module.css'

// Sections of a page that the server renders and that work before hydration, as they consist of
// links and forms. Their code is loaded after the initial scripts, as the chunk `lazy-sections`.
const LazyCalendar = lazySection(async () => (await import('./event-calendar')).EventCalendar)
const LazySubscribeSection = lazySection(
  async () => (await import('./subscribe-section')).SubscribeSection,
)

/** Loads the code of all lazy sections, which the server does before it renders. */
export async function loadLazySections(): Promise<void> {
  await Promise.all([LazyCalendar.load(), LazySubscribeSection.load()])
}

/** The calendar, hydrated when its code has loaded. */
export function EventCalendar(props: ComponentProps<typeof LazyCalendar>) {
  return (
    <Suspense fallback={<Skeleton className={styles.loading} />}>
      <LazyCalendar {...props} />
    </Suspense>
  )
}

/** The newsletter section at the end of the home page, hydrated when its code has loaded. */
export function SubscribeSection() {
  return (
    <Suspense>
      <LazySubscribeSection />
    </Suspense>
  )
}

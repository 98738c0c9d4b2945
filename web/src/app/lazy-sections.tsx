import { type ComponentProps, memo, Suspense } from 'react'
import { Skeleton } from '../components/ui/loading'
import { lazyChunk, lazySection } from '../lib/lazy'
import styles from '../features/events/calendar/calendar-section.module.css'

// Sections of a page that the server renders and that work before hydration, as they consist of
// links and forms. Their code is loaded after the initial scripts, as the chunk `lazy-sections`.
const LazyCalendar = lazySection(async () => (await import('./event-calendar')).EventCalendar)
const LazyNewsletterSection = lazySection(
  async () => (await import('./newsletter-section')).NewsletterSection,
)
const NewsletterContent = lazyChunk(
  async () => (await import('./newsletter-content')).NewsletterContent,
)

/** The code of the sections of /calendar. */
export const calendarSections = LazyCalendar

const sections = [LazyCalendar, LazyNewsletterSection]

/** The code of the sections of the home page, which are all; the server loads it before it renders. */
export const homeSections = {
  load: () => Promise.all([...sections, NewsletterContent].map(({ load }) => load())),
  // The content that the server rendered may load later.
  isLoaded: () =>
    sections.every(({ isLoaded }) => isLoaded()) &&
    (NewsletterContent.isLoaded() || document.getElementById('subscribe') !== null),
}

// `memo`, as a boundary that renders again before its code has loaded shows its fallback.

/** The calendar, hydrated when its code has loaded. */
export const EventCalendar = memo(function EventCalendar(
  props: ComponentProps<typeof LazyCalendar>,
) {
  return (
    <Suspense fallback={<Skeleton className={styles.loading} />}>
      <LazyCalendar {...props} />
    </Suspense>
  )
})

/** The newsletter section at the end of the home page, hydrated when its code has loaded. */
export const NewsletterSection = memo(function NewsletterSection() {
  return (
    <Suspense>
      <LazyNewsletterSection content={NewsletterContent} />
    </Suspense>
  )
})

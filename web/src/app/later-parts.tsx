import { type ComponentProps, Suspense } from 'react'
import { Skeleton } from '../components/ui/skeleton'
import { lazyPart } from '../lib/lazy-screen'
import styles from './later-parts.module.css'

// Parts of a page whose code the first view does not need. The server renders them, and what they
// contain are links and forms. They share the chunk `later-parts`.
const LazyCalendar = lazyPart(async () => (await import('./event-calendar')).EventCalendar)
const LazySubscribeBlock = lazyPart(
  async () => (await import('../features/newsletter/subscribe-block')).SubscribeBlock,
)

/** Loads their code, which the server needs before it renders. */
export async function loadLaterParts(): Promise<void> {
  await Promise.all([LazyCalendar.load(), LazySubscribeBlock.load()])
}

/** The calendar, hydrated when its code has arrived. */
export function EventCalendar(props: ComponentProps<typeof LazyCalendar>) {
  return (
    <Suspense fallback={<Skeleton className={styles.waiting} />}>
      <LazyCalendar {...props} />
    </Suspense>
  )
}

/** The newsletter's block at the end of the home page. */
export function SubscribeBlock(props: ComponentProps<typeof LazySubscribeBlock>) {
  return (
    <Suspense>
      <LazySubscribeBlock {...props} />
    </Suspense>
  )
}

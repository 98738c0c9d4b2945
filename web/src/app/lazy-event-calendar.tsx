import { type ComponentProps, Suspense } from 'react'
import { Skeleton } from '../components/ui/skeleton'
import { lazyPart } from '../lib/lazy-screen'
import styles from './lazy-event-calendar.module.css'

/** The calendar, whose code the first view does not need: its events are links. */
export const EventCalendarPart = lazyPart(
  async () => (await import('./event-calendar')).EventCalendar,
)

/** The calendar, hydrated when its code has arrived. */
export function EventCalendar(props: ComponentProps<typeof EventCalendarPart>) {
  return (
    <Suspense fallback={<Skeleton className={styles.waiting} />}>
      <EventCalendarPart {...props} />
    </Suspense>
  )
}

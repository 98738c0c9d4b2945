import type { ReactNode } from 'react'
import { Skeleton } from '../../../components/ui/skeleton'
import styles from './month-skeleton.module.css'
import { monthTitle } from './period'

interface GridSkeletonProps {
  date: Date
  problem: ReactNode
  Heading: 'h2' | 'h3'
}

/** Placeholder for toolbar and grid while they load (guide §7). */
export function GridSkeleton({ date, problem, Heading }: GridSkeletonProps) {
  return (
    <>
      <div className={styles.bar}>
        <Skeleton className={styles.steps} />
        <Heading className={styles.title}>{monthTitle(date)}</Heading>
        <Skeleton className={styles.views} />
      </div>
      <div className={styles.body}>{problem ?? <MonthSkeleton />}</div>
    </>
  )
}

const windows = Array.from({ length: 35 }, (_, index) => index)

/** An empty month grid with a loading message. */
export function MonthSkeleton() {
  return (
    <>
      <p className="visually-hidden">Loading events...</p>
      <div className={styles.wall} aria-hidden="true">
        {windows.map((window) => (
          <Skeleton key={window} className={styles.window} />
        ))}
      </div>
    </>
  )
}

import { type ReactNode, useId } from 'react'
import styles from './calendar-section.module.css'
import { Legend } from './legend'

interface CalendarSectionProps {
  /** Controls beside the heading. */
  tools: ReactNode
  children: ReactNode
}

/** The calendar's block on the home page: heading and legend, and the card below (spec §2). */
export function CalendarSection({ tools, children }: CalendarSectionProps) {
  const headingId = useId()
  return (
    <section className={styles.root} id="calendar" aria-labelledby={headingId}>
      <div className="wrap wrap-flush">
        <div className={styles.head}>
          <h2 id={headingId}>What&apos;s on the Calendar</h2>
          {tools}
          <Legend />
        </div>
        {children}
      </div>
    </section>
  )
}

import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import { eventTypes } from '../../../api/generated/contract'
import { typeSlug } from '../event-presentation'
import { EventTypeIcon } from '../event-badges'
import styles from './calendar-section.module.css'

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

/** The color and icon of each event type (guide §6, Calendar card). */
export function Legend() {
  return (
    <ul className={styles.legend} aria-label="Event types">
      {eventTypes.map((type) => (
        <li key={type} className={styles.type} data-type={typeSlug(type)}>
          <span className={styles.key}>
            <EventTypeIcon slug={typeSlug(type)} />
          </span>
          {type}
        </li>
      ))}
    </ul>
  )
}

interface TypeFilterProps {
  type: string | null
  onType: (type: string | null) => void
}

/** Filters the calendar by event type (spec §2, /calendar). */
export function TypeFilter({ type, onType }: TypeFilterProps) {
  const select = useRef<HTMLSelectElement>(null)
  const keepEarlyChoice = useEffectEvent(() => {
    const chosen = select.current?.value ?? ''
    if (chosen !== (type ?? '')) onType(chosen || null)
  })
  useEffect(() => {
    keepEarlyChoice()
  }, [])
  return (
    <select
      ref={select}
      className={styles.filter}
      // For `early_clicks.js`: the name is the parameter in the URL.
      id="event-type"
      name="type"
      // Only a choice made before hydration differs from `type` then, none that the browser restores.
      autoComplete="off"
      aria-label="Event type"
      value={type ?? ''}
      onChange={(event) => {
        onType(event.target.value || null)
      }}
    >
      <option value="">All Events</option>
      {eventTypes.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  )
}

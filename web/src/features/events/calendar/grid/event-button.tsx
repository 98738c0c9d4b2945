import type { CSSProperties } from 'react'
import { classNames } from '../../../../lib/class-names'
import { typeSlug } from '../../event-presentation'
import { dayLabel, timeLabel } from '../../event-time'
import { TypeIcon } from '../../type-icon'
import type { CalendarEntry } from '../entries'
import styles from './event-button.module.css'
import { useGrid } from './grid-context'

interface EventButtonProps {
  entry: CalendarEntry
  /** `line` among others in a cell, `window` alone in it, `block` in week and day. */
  form: 'line' | 'window' | 'block'
  /** Additional text, shown if it fits. */
  description?: string | undefined
  style?: CSSProperties | undefined
  /** Called before it opens, for example to close a list. */
  onClick?: () => void
}

/**
 * An event in the grid. Its accessible name has title, day, time with zone, and type, in this order
 * (guide §9, Month grid).
 */
export function EventButton({ entry, form, description, style, onClick }: EventButtonProps) {
  const { now, hasDialog, onOpen, onIntent } = useGrid()
  const { event, title, startsAt, endsAt } = entry
  const slug = typeSlug(event.type)
  const time = timeLabel(startsAt, event.timezone)

  return (
    <button
      type="button"
      className={classNames(styles.root, styles[form], endsAt <= now && styles.past)}
      style={style}
      data-type={slug}
      data-event={event.date}
      aria-haspopup={hasDialog ? 'dialog' : undefined}
      aria-label={
        [title, dayLabel(event.date), time, event.type].join(', ') +
        (hasDialog ? '' : ' (opens in a new tab)')
      }
      title={title}
      onPointerEnter={onIntent}
      onFocus={onIntent}
      onClick={() => {
        onClick?.()
        onOpen(event)
      }}
    >
      <span className={styles.glyph}>
        <TypeIcon slug={slug} />
      </span>
      <span className={styles.label}>
        {form !== 'line' && <span className={styles.time}>{time}</span>}
        <span className={styles.title}>{title}</span>
        {description && <span className={styles.description}>{description}</span>}
      </span>
    </button>
  )
}

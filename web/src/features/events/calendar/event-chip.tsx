import { isPlainClick } from '../../../components/links'
import { Portrait } from '../../../components/portrait'
import { classNames } from '../../../lib/class-names'
import { textFitClass } from '../../../components/fit-text'
import {
  badgeOf,
  isInPerson,
  recordingLabel,
  stateLabels,
  stateOf,
  typeSlug,
} from '../event-presentation'
import { alternateTimes, dayLabel, timeLabel, durationLabel } from '../event-time'
import { EventTypeIcon } from '../event-badges'
import { useCalendar } from './calendar-context'
import type { CalendarEntry } from './entries'
import styles from './event-chip.module.css'

/** The maximum number of speaker names; the rest are counted (spec §9), and printed. */
const speakerLimit = 3

interface EventChipProps {
  entry: CalendarEntry
  /**
   * In the month's grid, `single` is alone in a day, `pair` is one of two where three lines fit, `line`
   * any other one of several; in the month's list all three are cards. `block` is for week, day and
   * dialogs.
   */
  layout: 'single' | 'pair' | 'line' | 'block'
  /** Additional text, shown if it fits. */
  description?: string | undefined
  /** Called before it opens, for example to close a list. */
  onClick?: () => void
}

/**
 * An event on the calendar: a link to its page that opens its dialog instead. Its accessible name
 * has title, day, time with zone, and type, in this order (guide §9, Month grid), and whether it is in
 * progress or over.
 */
export function EventChip({ entry, layout, description, onClick }: EventChipProps) {
  const { now, hasDialog, onOpen, onPreload } = useCalendar()
  const { event, title, startsAt } = entry
  const slug = typeSlug(event.type)
  const time = timeLabel(startsAt, event.timezone)
  const state = stateOf(entry, now)
  const badge = badgeOf(event)
  const stateLabel = badge ?? stateLabels[state]
  const recording = state === 'over' && event.recordingUrl ? recordingLabel : undefined
  const parts = [title, dayLabel(event.date), time, event.type, stateLabel, recording]
  const name = `${parts.filter(Boolean).join(', ')}${hasDialog ? '' : ' (opens in a new tab)'}`
  // Not of the link: screen readers would read it after the name, which has both parts.
  const tooltip = stateLabel ? `${title}, ${stateLabel}` : title

  return (
    <a
      className={classNames(
        styles.root,
        styles[layout],
        layout !== 'block' && styles.month,
        styles[state],
        badge && styles.closed,
        event.status === 'cancelled' && styles.cancelled,
      )}
      href={event.path}
      {...(hasDialog ? { 'aria-haspopup': 'dialog' } : { target: '_blank', rel: 'noopener' })}
      aria-label={name}
      data-type={slug}
      data-event={event.date}
      onPointerEnter={onPreload}
      onFocus={onPreload}
      onClick={(click) => {
        if (!hasDialog || !isPlainClick(click)) return
        click.preventDefault()
        onClick?.()
        onOpen(event)
      }}
    >
      <span className={styles.icon} title={tooltip} aria-hidden="true">
        <EventTypeIcon slug={slug} />
      </span>
      <span className={styles.label} title={tooltip}>
        <span className={styles.time}>
          {time}
          {layout !== 'block' && (
            <span className={styles.more}>
              {!isInPerson(event.type) &&
                alternateTimes(startsAt, event.timezone).map((other) => ` / ${other}`)}
              {durationLabel(event.duration)}
            </span>
          )}
        </span>{' '}
        {stateLabel && <span className={styles.state}>{stateLabel} </span>}
        <span className={classNames(styles.title, layout !== 'block' && textFitClass(title))}>
          {title}
        </span>
        {description && <span className={styles.description}>{description}</span>}
        {layout !== 'block' && <CardDetails entry={entry} recording={recording} />}
      </span>
    </a>
  )
}

interface CardDetailsProps {
  entry: CalendarEntry
  recording: string | undefined
}

/** Type, recording and speakers, which only the cards of the list show. */
function CardDetails({ entry: { event }, recording }: CardDetailsProps) {
  const speakers = event.speakers.map(({ speaker }) => speaker)
  const [shown, others] = [speakers.slice(0, speakerLimit), speakers.slice(speakerLimit)]
  const names = shown.map(({ name }) => name).join(', ')
  return (
    <>
      <span className={styles.type}>{event.type}</span>
      {recording && <span className={classNames(styles.type, styles.recording)}>{recording}</span>}
      {shown.length > 0 && (
        <span className={styles.speakers}>
          <span className={styles.portraits} aria-hidden="true">
            {shown.map(({ id, name, imageUrl }) => (
              <Portrait
                key={id}
                className={styles.portrait}
                name={name}
                imageUrl={imageUrl}
                isLazy
              />
            ))}
          </span>
          <span className={classNames(styles.names, textFitClass(names))}>
            {names}
            {others.length > 0 && (
              <>
                <span className={styles.count}>{` +${others.length} more`}</span>
                <span className={styles.others}>
                  {others.map(({ name }) => `, ${name}`).join('')}
                </span>
              </>
            )}
          </span>
        </span>
      )}
    </>
  )
}

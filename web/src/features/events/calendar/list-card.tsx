import type { CalendarEvent } from '../../../api/types'
import { Portrait } from '../../../components/portrait'
import { classNames } from '../../../lib/class-names'
import { isInPerson, typeSlug } from '../event-presentation'
import { alternateTimes, timeLabel } from '../event-time'
import { TypeIcon } from '../type-icon'
import type { CalendarEntry } from './entries'
import styles from './list-card.module.css'

/** The maximum number of speaker names; the rest are counted (spec §9). */
const speakerLimit = 3

interface ListCardProps {
  entry: CalendarEntry
  isPast: boolean
  /** Whether it opens a dialog, not a page in a new tab. */
  hasDialog: boolean
  onOpen: (event: CalendarEvent) => void
  onIntent: () => void
}

/** An event in the month list: the whole card is one button that opens its dialog (guide §6). */
export function ListCard({ entry, isPast, hasDialog, onOpen, onIntent }: ListCardProps) {
  const { event, title, startsAt } = entry
  const slug = typeSlug(event.type)
  const elsewhere = isInPerson(event.type) ? [] : alternateTimes(startsAt, event.timezone)
  return (
    <button
      type="button"
      className={classNames(styles.root, isPast && styles.past)}
      data-type={slug}
      aria-haspopup={hasDialog ? 'dialog' : undefined}
      onPointerEnter={onIntent}
      onFocus={onIntent}
      onClick={() => {
        onOpen(event)
      }}
    >
      <span className={styles.block}>
        <TypeIcon className={styles.glyph} slug={slug} />
      </span>
      <span className={styles.body}>
        <span className={styles.time}>
          {[timeLabel(startsAt, event.timezone), ...elsewhere].join(' / ')}
        </span>
        <span className={styles.title}>{title}</span>
        {!hasDialog && <span className="visually-hidden">(opens in a new tab)</span>}
        <span className={styles.type}>{event.type}</span>
        {event.speakers.length > 0 && <Speakers event={event} />}
      </span>
    </button>
  )
}

function Speakers({ event }: { event: CalendarEvent }) {
  const shown = event.speakers.slice(0, speakerLimit).map(({ speaker }) => speaker)
  const others = event.speakers.length - shown.length
  return (
    <span className={styles.speakers}>
      <span className={styles.portraits} aria-hidden="true">
        {shown.map(({ id, name, imageUrl }) => (
          <Portrait key={id} className={styles.portrait} name={name} imageUrl={imageUrl} isLazy />
        ))}
      </span>
      <span>
        {shown.map(({ name }) => name).join(', ')}
        {others > 0 && ` +${others} more`}
      </span>
    </span>
  )
}

import { classNames } from '../../../lib/class-names'
import { typeSlug } from '../event-presentation'
import { startOf, whenLabel } from '../event-time'
import { TypeIcon } from '../type-icon'
import { matchParts, type SearchEntry } from './search-index'
import styles from './search-dialog.module.css'

interface SearchResultProps {
  id: string
  entry: SearchEntry
  words: readonly string[]
  isChosen: boolean
  onPoint: () => void
  onChoose: () => void
}

/** A matching event, with its matches marked. */
export function SearchResult(props: SearchResultProps) {
  const { id, entry, words, isChosen, onPoint, onChoose } = props
  const { event, isPast } = entry
  const slug = typeSlug(event.type)
  const venue = event.location && [event.location.venueName, event.location.city]
  const people = event.speakers.map(({ speaker }) => speaker.name)
  const more = [event.type, venue?.filter(Boolean).join(', '), people.join(', ')].filter(Boolean)

  return (
    // The field handles the keyboard and references the active option.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      className={classNames(styles.result, isPast && styles.past)}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      data-type={slug}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <span className={styles.glyph}>
        <TypeIcon slug={slug} />
      </span>
      <span className={styles.text}>
        <b className={styles.title}>
          <Marked text={event.title} words={words} />
        </b>
        <span className={styles.when}>
          {isPast && <span className={styles.label}>Past</span>}
          {whenLabel(startOf(event), event.timezone)}
        </span>
        <span className={styles.more}>
          <Marked text={more.join(' · ')} words={words} />
        </span>
      </span>
    </div>
  )
}

function Marked({ text, words }: { text: string; words: readonly string[] }) {
  return matchParts(text, words).map((piece, at) =>
    piece.isMatch ? <mark key={at}>{piece.text}</mark> : piece.text,
  )
}

import type { FoundEvent } from '../../../api/types'
import { FitText } from '../../../components/fit-text'
import { SiteLink } from '../../../components/links'
import { classNames } from '../../../lib/class-names'
import { badgeOf, detailsOf, typeSlug } from '../event-presentation'
import { startOf, whenLabel } from '../event-time'
import { EventTypeIcon } from '../event-badges'
import { matchParts } from './match-parts'
import styles from './search.module.css'

interface SearchOptionProps {
  id: string
  entry: FoundEvent
  words: readonly string[]
  isChosen: boolean
  onPoint: () => void
  onChoose: () => void
}

/** A matching event in the dialog's list, with its matches marked. */
export function SearchOption(props: SearchOptionProps) {
  const { id, entry, words, isChosen, onPoint, onChoose } = props
  return (
    // The field handles the keyboard and references the active option.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      className={classNames(styles.result, entry.isPast && styles.past)}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      data-type={typeSlug(entry.event.type)}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <ResultContent entry={entry} words={words} />
    </div>
  )
}

/** A matching event on the search page. */
export function SearchLink({ entry, words }: { entry: FoundEvent; words: readonly string[] }) {
  const { event, isPast } = entry
  return (
    <SiteLink
      className={classNames(styles.result, isPast && styles.past)}
      to={event.path}
      data-type={typeSlug(event.type)}
    >
      <ResultContent entry={entry} words={words} />
    </SiteLink>
  )
}

interface SearchSummaryProps {
  query: string
  /** The number of events found; undefined before they are known. */
  count: number | undefined
  isLoading: boolean
}

/** How many events were found; without a query, what can be searched. */
export function SearchSummary({ query, count, isLoading }: SearchSummaryProps) {
  if (query.trim() === '')
    return 'Find events by title, speaker, city, type or date, both upcoming and past ones.'
  if (count === undefined) return isLoading && 'Loading events...'
  if (count === 0) return `No events found for “${query.trim()}”.`
  return `${count} ${count === 1 ? 'event' : 'events'} found`
}

function ResultContent({ entry, words }: { entry: FoundEvent; words: readonly string[] }) {
  const { event, isPast } = entry
  const badge = badgeOf(event)
  const details = detailsOf(event, isPast)
  return (
    <>
      <span className={styles.icon}>
        <EventTypeIcon slug={typeSlug(event.type)} />
      </span>
      <span className={classNames('word-box', styles.text)}>
        <b className={styles.title}>
          <FitText text={event.title}>
            <Marked text={event.title} words={words} />
          </FitText>
        </b>
        <span className={styles.when}>
          {badge && <span className={styles.label}>{badge}</span>}
          {isPast && <span className={styles.label}>Past</span>}
          {whenLabel(startOf(event), event.timezone)}
        </span>
        <span className={styles.more}>
          <FitText text={details}>
            <Marked text={details} words={words} />
          </FitText>
        </span>
      </span>
    </>
  )
}

function Marked({ text, words }: { text: string; words: readonly string[] }) {
  return matchParts(text, words).map((part, at) =>
    part.isMatch ? <mark key={at}>{part.text}</mark> : part.text,
  )
}

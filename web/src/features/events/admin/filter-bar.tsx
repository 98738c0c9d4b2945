import { type ReactNode, useId } from 'react'
import { eventTypes } from '../../../api/generated/contract'
import { SelectField, TextField } from '../../../components/ui/field'
import { type StatusFilter, statusFilters, type Search } from './event-filter'
import styles from './filter-bar.module.css'
import { statusLabels } from './status-labels'

const filterLabels: Readonly<Record<StatusFilter, string>> = {
  ...statusLabels,
  upcoming: 'Upcoming',
  past: 'Past',
  draft: 'Drafts',
}

interface FilterBarProps {
  search: Search
  /** The number of matching events; undefined while they load. */
  count: number | undefined
  isSearching: boolean
  /** The statuses that events have; the others are not offered. */
  statuses: ReadonlySet<string>
  onText: (text: string) => void
  onType: (type: string | null) => void
  onStatus: (status: StatusFilter | null) => void
  /** What stands beside the number. */
  children?: ReactNode
}

/** Filters events by text, type and time, and shows their number. */
export function FilterBar(props: FilterBarProps) {
  const countId = useId()
  const { search, count, isSearching, statuses } = props
  const countText = count === undefined ? '' : count === 1 ? '1 event' : `${count} events`
  const shownStatuses = statusFilters.filter(
    (status) =>
      status === 'upcoming' ||
      status === 'past' ||
      status === search.status ||
      statuses.has(status),
  )

  return (
    <search className={styles.root} aria-label="Find events">
      <TextField
        label="Find"
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        placeholder="Title, speaker or series"
        aria-describedby={countId}
        value={search.text}
        onChange={(event) => {
          props.onText(event.target.value)
        }}
      />
      <SelectField
        label="Event type"
        value={search.type ?? ''}
        options={[{ value: '', label: 'All types' }, ...eventTypes]}
        onChange={(event) => {
          props.onType(event.target.value || null)
        }}
      />
      <SelectField
        label="Show"
        value={search.status ?? ''}
        options={[
          { value: '', label: 'All events' },
          ...shownStatuses.map((value) => ({ value, label: filterLabels[value] })),
        ]}
        onChange={(event) => {
          props.onStatus(statusFilters.find((status) => status === event.target.value) ?? null)
        }}
      />
      <div className={styles.end}>
        <p className={styles.count} id={countId} role="status">
          {isSearching && countText ? `${countText} found` : countText}
        </p>
        {props.children}
      </div>
    </search>
  )
}

import { type ReactNode, useId } from 'react'
import { eventTypes } from '../../../api/generated/contract'
import { SelectField, TextField } from '../../../components/ui/field'
import { countLabel } from '../../../lib/text'
import {
  monthLabel,
  type PortalFilter,
  type Sort,
  sorts,
  type StatusFilter,
  statusFilters,
} from './event-filter'
import styles from './filter-bar.module.css'
import { statusLabels } from './status-labels'

const filterLabels: Readonly<Record<StatusFilter, string>> = {
  ...statusLabels,
  upcoming: 'Upcoming',
  past: 'Past',
  draft: 'Drafts',
}

const sortLabels: Readonly<Record<Sort, string>> = {
  upcoming: 'Upcoming first',
  earliest: 'Earliest first',
  latest: 'Latest first',
  title: 'Title',
  changed: 'Last changed',
}

interface FilterBarProps {
  filter: PortalFilter
  sort: Sort
  /** The months that have events, as `2026-03`. */
  months: readonly string[]
  /** The number of matching events; undefined while they load. */
  count: number | undefined
  isFiltered: boolean
  /** The statuses that events have; the others are not offered. */
  statuses: ReadonlySet<string>
  onText: (text: string) => void
  onType: (type: string | null) => void
  onStatus: (status: StatusFilter | null) => void
  onMonth: (month: string | null) => void
  onSort: (sort: Sort) => void
  /** What stands beside the number. */
  children?: ReactNode
}

/** Filters events by text, type and time, and shows their number. */
export function FilterBar(props: FilterBarProps) {
  const countId = useId()
  const { filter, sort, months, count, isFiltered, statuses } = props
  const countText = count === undefined ? '' : countLabel(count, 'event')
  const shownStatuses = statusFilters.filter(
    (status) =>
      status === 'upcoming' ||
      status === 'past' ||
      status === filter.status ||
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
        placeholder="Title, speaker, series, city or date"
        aria-describedby={countId}
        value={filter.text}
        onChange={(event) => {
          props.onText(event.target.value)
        }}
      />
      <SelectField
        label="Event type"
        value={filter.type ?? ''}
        options={[{ value: '', label: 'All types' }, ...eventTypes]}
        onChange={(event) => {
          props.onType(event.target.value || null)
        }}
      />
      <SelectField
        label="Show"
        value={filter.status ?? ''}
        options={[
          { value: '', label: 'All events' },
          ...shownStatuses.map((value) => ({ value, label: filterLabels[value] })),
        ]}
        onChange={(event) => {
          props.onStatus(statusFilters.find((status) => status === event.target.value) ?? null)
        }}
      />
      <SelectField
        label="Month"
        value={filter.month ?? ''}
        options={[
          { value: '', label: 'All months' },
          ...months.map((value) => ({ value, label: monthLabel(value) })),
        ]}
        onChange={(event) => {
          props.onMonth(event.target.value || null)
        }}
      />
      <SelectField
        label="Sort by"
        value={sort}
        options={sorts.map((value) => ({ value, label: sortLabels[value] }))}
        onChange={(event) => {
          props.onSort(sorts.find((valid) => valid === event.target.value) ?? 'upcoming')
        }}
      />
      <div className={styles.end}>
        <p className={styles.count} id={countId} role="status">
          {isFiltered && countText ? `${countText} found` : countText}
        </p>
        {props.children}
      </div>
    </search>
  )
}

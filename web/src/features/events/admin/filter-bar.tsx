import { type ReactNode, useId, useState } from 'react'
import { eventTypes } from '../../../api/generated/contract'
import { Button } from '../../../components/ui/button'
import { SelectField, TextField } from '../../../components/ui/field'
import { readStored, writeStored } from '../../../lib/storage'
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

const viewKey = 'lectern.events.view'
const views = { cards: 'Cards', table: 'Table' } as const

/** How the events are listed. */
export type EventsView = keyof typeof views

/** How the events are listed, as it was chosen last in this browser. */
export function useEventsView() {
  const [view, setView] = useState<EventsView>(() =>
    readStored(viewKey) === 'table' ? 'table' : 'cards',
  )
  return [
    view,
    (next: EventsView) => {
      setView(next)
      writeStored(viewKey, next === 'cards' ? null : next)
    },
  ] as const
}

interface ViewSwitchProps {
  view: EventsView
  onChange: (view: EventsView) => void
}

/** Lists the events as cards or as a table. */
export function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  return (
    <div className={styles.views} role="group" aria-label="Show as">
      {(['cards', 'table'] as const).map((one) => (
        <Button
          key={one}
          variant="ghost"
          size="small"
          className={styles.view}
          aria-pressed={view === one}
          onClick={() => {
            onChange(one)
          }}
        >
          {views[one]}
        </Button>
      ))}
    </div>
  )
}

import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { CalendarEvent } from '../../../api/types'
import { Button } from '../../../components/ui/button'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog'
import { Empty } from '../../../components/ui/empty'
import { Skeleton } from '../../../components/ui/loading'
import { useMinute } from '../../../lib/hydration'
import { ExportAttendance, useAttendance } from './attendance'
import { DeletedEventsLink } from './deleted-events'
import { DuplicateDialog } from './duplicate-dialog'
import { EventCard } from './event-card'
import {
  type ListedEvent,
  listedEvents,
  matchingEvents,
  monthsOf,
  pageOf,
  pageSize,
  rowsPerPage,
  sortedEvents,
} from './event-filter'
import { EventTable } from './event-table'
import { ExportMenu } from './export-menu'
import styles from './events-list.module.css'
import { FilterBar } from './filter-bar'
import { Pager } from './pager'
import { SelectionBar } from './selection-bar'
import { useDeleteEvent } from './use-delete-event'
import { usePageFocus } from './use-page-focus'
import { useEventFilter } from './use-event-filter'
import { useEventsView, ViewSwitch } from './view-switch'

interface EventsListProps {
  shown: readonly CalendarEvent[]
  /** Drafts, scheduled and hidden events. */
  unpublished: readonly CalendarEvent[]
  siteUrl: string
  /** The event to show and focus; null once that is done. */
  revealedId: number | null
  onReveal: (id: number | null) => void
  onEdit: (id: number) => void
  onCreate: () => void
}

/** All events as cards, six per page, with search and filters (spec §2, Events tab). */
export function EventsList(props: EventsListProps) {
  const { shown, unpublished, siteUrl, revealedId, onReveal, onEdit, onCreate } = props
  const now = useMinute()
  const filter = useEventFilter()
  const [deleting, setDeleting] = useState<CalendarEvent | null>(null)
  const [duplicating, setDuplicating] = useState<CalendarEvent | null>(null)
  const [view, setView] = useEventsView()
  const list = useRef<HTMLElement>(null)

  const listed = useMemo(() => listedEvents(shown, unpublished, now), [shown, unpublished, now])
  const all = useMemo(() => sortedEvents(listed, filter.sort), [listed, filter.sort])
  const months = useMemo(() => monthsOf(listed), [listed])
  const statuses = useMemo(() => new Set(all.map(({ status }) => status)), [all])
  const matches = matchingEvents(all, filter.search)
  const attendance = useAttendance()
  const size = view === 'table' ? rowsPerPage : pageSize
  const { page, pages } = pageOf(matches.length, filter.page, size)
  const cards = matches.slice((page - 1) * size, page * size)
  const eventOf = (id: number) => all.find(({ event }) => event.id === id)?.event ?? null

  useReveal({ revealedId, onReveal, all, matches, page, size, list, filter })

  const focusList = usePageFocus(page, () =>
    list.current?.querySelector<HTMLElement>('[data-event]'),
  )

  const deletion = useDeleteEvent({
    deleted: () => {
      // Focuses the next card, or the previous one if it was the last.
      const index = cards.findIndex(({ event }) => event.id === deleting?.id)
      const next = cards[index + 1] ?? matches[page * size] ?? cards[index - 1]
      setDeleting(null)
      if (next) onReveal(next.event.id)
      else focusHeading()
    },
    restored: onReveal,
  })

  const actions = {
    onEdit,
    onDuplicate: (id: number) => {
      setDuplicating(eventOf(id))
    },
    onDelete: (id: number) => {
      setDeleting(eventOf(id))
    },
  }

  if (all.length === 0) {
    return (
      <Empty title="No events found. Create your first event to get started.">
        <Button size="small" onClick={onCreate}>
          Create New Event
        </Button>
        <DeletedEventsLink />
      </Empty>
    )
  }
  return (
    <>
      <FilterBar
        search={filter.search}
        sort={filter.sort}
        months={months}
        count={matches.length}
        isSearching={filter.isSearching}
        statuses={statuses}
        onText={filter.setText}
        onType={filter.setType}
        onStatus={filter.setStatus}
        onMonth={filter.setMonth}
        onSort={filter.setSort}
      >
        <ViewSwitch view={view} onChange={setView} />
        <ExportMenu matches={matches} />
        <ExportAttendance matches={matches} attendance={attendance} />
        <DeletedEventsLink />
      </FilterBar>
      <SelectionBar all={all} matches={matches} isSearching={filter.isSearching} />
      {matches.length === 0 ? (
        <Empty title="No events match.">
          <Button
            size="small"
            onClick={() => {
              filter.clear()
              focusHeading()
            }}
          >
            Show All Events
          </Button>
        </Empty>
      ) : view === 'table' ? (
        <EventTable
          ref={list}
          rows={cards}
          attendance={attendance}
          siteUrl={siteUrl}
          {...actions}
        />
      ) : (
        <ul className={styles.cards} ref={list as RefObject<HTMLUListElement>}>
          {cards.map((listed) => (
            <li key={listed.event.id} className={styles.item}>
              <EventCard
                listed={listed}
                siteUrl={siteUrl}
                attending={attendance?.get(listed.event.id) ?? (attendance && 0)}
                {...actions}
              />
            </li>
          ))}
        </ul>
      )}
      {pages > 1 && <Pager page={page} pages={pages} onPage={filter.setPage} onJump={focusList} />}
      {deleting && (
        <ConfirmDialog
          title="Delete Event"
          confirm="Delete"
          isBusy={deletion.isPending}
          onConfirm={() => {
            deletion.mutate(deleting, {
              onError: () => {
                setDeleting(null)
              },
            })
          }}
          onCancel={() => {
            setDeleting(null)
          }}
        >
          Are you sure you want to delete &quot;{deleting.title}&quot;? This action cannot be
          undone.
        </ConfirmDialog>
      )}
      {duplicating && (
        <DuplicateDialog
          event={duplicating}
          siteUrl={siteUrl}
          onClose={() => {
            setDuplicating(null)
          }}
          onDone={({ id }) => {
            setDuplicating(null)
            onReveal(id)
          }}
        />
      )}
    </>
  )
}

interface RevealOptions extends Pick<EventsListProps, 'revealedId' | 'onReveal'> {
  all: readonly ListedEvent[]
  matches: readonly ListedEvent[]
  page: number
  /** Events per page. */
  size: number
  list: RefObject<HTMLElement | null>
  filter: ReturnType<typeof useEventFilter>
}

/** Focuses the page's heading if there is no card to focus. */
function focusHeading() {
  document.querySelector<HTMLElement>('main h1')?.focus()
}

/** Shows the page of the event to reveal, clears a search that hides it, and focuses it. */
function useReveal(options: RevealOptions) {
  const { revealedId, onReveal, all, matches, page, size, list, filter } = options
  useEffect(() => {
    if (revealedId === null) return
    const index = matches.findIndex(({ event }) => event.id === revealedId)
    if (index < 0) {
      const indexInAll = all.findIndex(({ event }) => event.id === revealedId)
      if (indexInAll >= 0) filter.clear(Math.floor(indexInAll / size) + 1)
      else onReveal(null)
      return
    }
    const targetPage = Math.floor(index / size) + 1
    if (targetPage !== page) {
      filter.setPage(targetPage)
      return
    }
    // After the closing form has returned the focus to the button that opened it.
    const timer = setTimeout(() => {
      const title = list.current?.querySelector<HTMLElement>(`[data-event="${revealedId}"]`)
      title?.focus({ preventScroll: true })
      title?.scrollIntoView({ block: 'nearest' })
      onReveal(null)
    })
    return () => {
      clearTimeout(timer)
    }
  })
}

/** Placeholders for the cards while the events load (guide §7). */
export function EventsListSkeleton() {
  return (
    <div className={styles.loading} aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading events...
      </p>
      <Skeleton className={styles.loadingFilter} />
      <div className={styles.cards}>
        {Array.from({ length: pageSize }, (_, index) => (
          <Skeleton key={index} className={styles.loadingCard} />
        ))}
      </div>
    </div>
  )
}

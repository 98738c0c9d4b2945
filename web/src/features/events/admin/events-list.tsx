import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, use, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { CalendarEvent } from '../../../api/types'
import { Alert } from '../../../components/ui/alert'
import { Button } from '../../../components/ui/button'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog'
import { EmptyState } from '../../../components/ui/empty-state'
import { Skeleton, Spinner } from '../../../components/ui/loading'
import { showToast } from '../../../components/ui/toast-store'
import { useMinute } from '../../../lib/hydration'
import { eventPageQuery, type PageRequest, monthsQuery, readPageOf } from './api'
import { DeletedEventsLink } from './deleted-events'
import { DuplicateDialog } from './duplicate-dialog'
import { EventCard } from './event-card'
import {
  noFilter,
  type ListedEvent,
  listedEvent,
  pageOf,
  pageSize,
  rowsPerPage,
} from './event-filter'
import { EventTable } from './event-table'
import { ExportAttendance, ExportMenu } from './export-menu'
import styles from './events-list.module.css'
import { FilterBar, useEventsView, ViewSwitch } from './filter-bar'
import { Pager, usePageFocus } from './pager'
import { SelectionContext } from './selection'
import { SelectionBar } from './selection-bar'
import { useDeleteEvent } from './use-delete-event'
import { useEventFilter } from './use-event-filter'

/** An event to show and focus. */
export interface Revealed {
  id: number
  /** Whether a filter that hides the event is retained; otherwise it is cleared. */
  retainsFilter: boolean
  /** What the toast says about the update of the event. */
  updateMessage?: string | undefined
}

interface EventsListProps {
  siteUrl: string
  /** Null once it is focused. */
  revealed: Revealed | null
  onReveal: (revealed: Revealed | null) => void
  onEdit: (id: number) => void
  onCreate: () => void
}

/** All events as cards, six per page, with search and filters (spec §2, Events tab). */
export function EventsList(props: EventsListProps) {
  const { siteUrl, revealed, onReveal, onEdit, onCreate } = props
  const now = useMinute()
  const controls = useEventFilter()
  const [deleting, setDeleting] = useState<CalendarEvent | null>(null)
  const [duplicating, setDuplicating] = useState<CalendarEvent | null>(null)
  const [view, setView] = useEventsView()
  const list = useRef<HTMLElement>(null)
  const selection = use(SelectionContext)

  const { filter, sort, isFiltered } = controls
  const size = view === 'table' ? rowsPerPage : pageSize
  const request = { sort, page: Math.max(1, controls.page), size }
  const query = useQuery(eventPageQuery(filter, request))
  const months = useQuery(monthsQuery()).data ?? []
  const cards = useMemo(
    () => query.data?.events.map((event) => listedEvent(event, now)) ?? [],
    [query.data, now],
  )
  const eventOf = (id: number) => cards.find(({ event }) => event.id === id)?.event ?? null

  useReveal({ revealed, onReveal, cards, request, list, controls })

  const { page, pages } = pageOf(query.data?.count ?? 0, query.data?.page ?? 1, size)
  const focusList = usePageFocus(query.isPlaceholderData ? 0 : page, () =>
    list.current?.querySelector<HTMLElement>('[data-event]'),
  )

  const deletion = useDeleteEvent({
    deleted: () => {
      if (deleting) selection?.toggle([deleting.id], false)
      const next = deleting && neighborOf(deleting.id, cards)
      setDeleting(null)
      if (next) onReveal({ id: next.event.id, retainsFilter: true })
      else focusHeading()
    },
    restored: (id) => {
      onReveal({ id, retainsFilter: false })
    },
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

  const failure = query.isError && !query.data && (
    <Alert title="Unable to load events" onRetry={() => void query.refetch()} />
  )
  if (!query.data && !isFiltered) {
    return failure && !query.isFetching ? failure : <EventsListSkeleton />
  }
  if (query.data?.hasEvents === false) {
    return (
      <EmptyState title="No events found. Create your first event to get started.">
        <Button size="small" onClick={onCreate}>
          Create New Event
        </Button>
        <DeletedEventsLink />
      </EmptyState>
    )
  }
  return (
    <>
      <FilterBar
        filter={filter}
        sort={sort}
        months={months}
        count={query.data?.count}
        isFiltered={isFiltered}
        statuses={new Set<string>(query.data?.statuses)}
        onText={controls.setText}
        onType={controls.setType}
        onStatus={controls.setStatus}
        onMonth={controls.setMonth}
        onSort={controls.setSort}
      >
        <ViewSwitch view={view} onChange={setView} />
        <ExportMenu filter={filter} count={query.data?.count ?? 0} />
        {query.data?.hasInPerson && <ExportAttendance filter={filter} />}
        <DeletedEventsLink />
      </FilterBar>
      <SelectionBar filter={filter} count={query.data?.count ?? 0} isFiltered={isFiltered} />
      {!query.data ? (
        failure || <Spinner />
      ) : query.data.count === 0 ? (
        <EmptyState title="No events match.">
          <Button
            size="small"
            onClick={() => {
              controls.clear()
              focusHeading()
            }}
          >
            Show All Events
          </Button>
        </EmptyState>
      ) : view === 'table' ? (
        <EventTable
          ref={list}
          rows={cards}
          attendance={query.data.attendance}
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
                attending={
                  query.data.attendance && (query.data.attendance.get(listed.event.id) ?? 0)
                }
                {...actions}
              />
            </li>
          ))}
        </ul>
      )}
      {pages > 1 && (
        <Pager page={page} pages={pages} onPage={controls.setPage} onJump={focusList} />
      )}
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
            onReveal({ id, retainsFilter: false })
          }}
        />
      )}
    </>
  )
}

/** Focuses the page's heading if there is no card to focus. */
function focusHeading() {
  document.querySelector<HTMLElement>('main h1')?.focus()
}

/** The card after that of an event, or the one before it if it is the last. */
function neighborOf(id: number, cards: readonly ListedEvent[]): ListedEvent | undefined {
  const index = cards.findIndex(({ event }) => event.id === id)
  return index < 0 ? undefined : (cards[index + 1] ?? cards[index - 1])
}

interface RevealOptions extends Pick<EventsListProps, 'revealed' | 'onReveal'> {
  cards: readonly ListedEvent[]
  request: PageRequest
  list: RefObject<HTMLElement | null>
  controls: ReturnType<typeof useEventFilter>
}

/**
 * Shows the page of the event to reveal and focuses it. A filter that hides it is cleared, or retained: then the toast
 * says so, and a neighbor of the event has the focus.
 */
function useReveal({ revealed, onReveal, cards, request, list, controls }: RevealOptions) {
  const queryClient = useQueryClient()
  const location = useMutation({
    mutationFn: async ({ id, retainsFilter }: Revealed) => {
      const filters = controls.isFiltered ? [controls.filter, noFilter] : [noFilter]
      for (const filter of retainsFilter ? filters.slice(0, 1) : filters) {
        const found = await readPageOf(id, filter, request)
        if (found.isFound) return { found, filter }
      }
      return null
    },
    networkMode: 'always',
  })
  /** Reports that the list does not have an event, and moves the focus to its neighbor. */
  const leave = ({ updateMessage }: Revealed, neighbor: ListedEvent | undefined) => {
    if (updateMessage === undefined || !controls.isFiltered) {
      onReveal(null)
      return
    }
    showToast({
      title: 'Success',
      description: `${updateMessage}. It no longer matches the filter.`,
    })
    if (!neighbor) focusHeading()
    onReveal(neighbor ? { id: neighbor.event.id, retainsFilter: true } : null)
  }
  const locate = useEffectEvent((event: Revealed) => {
    // The refetched list may no longer have the event.
    const neighbor = neighborOf(event.id, cards)
    location.mutate(event, {
      onSuccess: (result) => {
        if (!result) {
          leave(event, neighbor)
          return
        }
        const { found, filter } = result
        const { page } = found
        queryClient.setQueryData(eventPageQuery(filter, { ...request, page }).queryKey, found)
        if (controls.isFiltered && filter === noFilter) controls.clear(page)
        else controls.setPage(page)
      },
      onError: () => {
        onReveal(null)
      },
    })
  })
  useEffect(() => {
    if (revealed) locate(revealed)
  }, [revealed])

  const revealedId = revealed?.id ?? null
  const located = location.variables === revealed ? location.data : undefined
  const isShown =
    located?.found.page === request.page && cards.some(({ event }) => event.id === revealedId)
  const focusCard = useEffectEvent((id: number) => {
    const title = list.current?.querySelector<HTMLElement>(`[data-event="${id}"]`)
    title?.focus({ preventScroll: true })
    title?.scrollIntoView({ block: 'nearest' })
    onReveal(null)
  })
  useEffect(() => {
    if (revealedId === null || !isShown) return
    // After the closing form has returned the focus to the button that opened it.
    const timer = setTimeout(() => {
      focusCard(revealedId)
    })
    return () => {
      clearTimeout(timer)
    }
  }, [revealedId, isShown])
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

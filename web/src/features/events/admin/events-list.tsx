import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { CalendarEvent } from '../../../api/types'
import { Button } from '../../../components/ui/button'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog'
import { Empty } from '../../../components/ui/empty'
import { useMinute } from '../../../lib/use-minute'
import { DuplicateDialog } from './duplicate-dialog'
import { EventCard } from './event-card'
import styles from './events-list.module.css'
import { foundEvents, listedEvents, pageOf, pageSize } from './event-filter'
import { FilterBar } from './filter-bar'
import { Pager } from './pager'
import { useDeleteEvent } from './use-delete-event'
import { useEventFilter } from './use-event-filter'

interface EventsListProps {
  shown: readonly CalendarEvent[]
  hidden: readonly CalendarEvent[]
  siteUrl: string
  /** The event to show and to give the focus to; null once that is done. */
  wanted: number | null
  onWanted: (id: number | null) => void
  onEdit: (id: number) => void
  onCreate: () => void
}

/** All events as cards, six a page, with what finds them (spec §2, Events tab). */
export function EventsList(props: EventsListProps) {
  const { shown, hidden, siteUrl, wanted, onWanted, onEdit, onCreate } = props
  const now = useMinute()
  const find = useEventFilter()
  const [deleting, setDeleting] = useState<CalendarEvent | null>(null)
  const [duplicating, setDuplicating] = useState<CalendarEvent | null>(null)
  const list = useRef<HTMLUListElement>(null)

  const all = useMemo(() => listedEvents(shown, hidden, now), [shown, hidden, now])
  const found = foundEvents(all, find.search)
  const { page, pages } = pageOf(found.length, find.page)
  const cards = found.slice((page - 1) * pageSize, page * pageSize)
  const eventOf = (id: number) => all.find(({ event }) => event.id === id)?.event ?? null

  useShowWanted({ wanted, onWanted, all, found, page, list, find })

  const deletion = useDeleteEvent({
    deleted: () => {
      // To the card that takes its place, or the one before it.
      const index = cards.findIndex(({ event }) => event.id === deleting?.id)
      const next = cards[index + 1] ?? found[page * pageSize] ?? cards[index - 1]
      setDeleting(null)
      if (next) onWanted(next.event.id)
      else focusHeading()
    },
    restored: onWanted,
  })

  if (all.length === 0) {
    return (
      <Empty title="No events found. Create your first event to get started.">
        <Button size="dense" onClick={onCreate}>
          Create New Event
        </Button>
      </Empty>
    )
  }
  return (
    <>
      <FilterBar
        search={find.search}
        count={found.length}
        isSearching={find.isSearching}
        hasHidden={hidden.length > 0}
        onText={find.setText}
        onType={find.setType}
        onPeriod={find.setPeriod}
      />
      {found.length === 0 ? (
        <Empty title="No events match.">
          <Button
            size="dense"
            onClick={() => {
              find.clear()
              focusHeading()
            }}
          >
            Show All Events
          </Button>
        </Empty>
      ) : (
        <ul className={styles.cards} ref={list}>
          {cards.map((listed) => (
            <li key={listed.event.id} className={styles.item}>
              <EventCard
                listed={listed}
                onEdit={onEdit}
                onDuplicate={(id) => {
                  setDuplicating(eventOf(id))
                }}
                onDelete={(id) => {
                  setDeleting(eventOf(id))
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {pages > 1 && <Pager page={page} pages={pages} onPage={find.setPage} />}
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
            onWanted(id)
          }}
        />
      )}
    </>
  )
}

interface Showing extends Pick<EventsListProps, 'wanted' | 'onWanted'> {
  all: ReturnType<typeof listedEvents>
  found: ReturnType<typeof listedEvents>
  page: number
  list: RefObject<HTMLUListElement | null>
  find: ReturnType<typeof useEventFilter>
}

/** Where the focus goes when no card can have it. */
function focusHeading() {
  document.querySelector<HTMLElement>('main h1')?.focus()
}

/** Turns to the page of the wanted event, out of the search where that hides it, and focuses it. */
function useShowWanted({ wanted, onWanted, all, found, page, list, find }: Showing) {
  useEffect(() => {
    if (wanted === null) return
    const place = found.findIndex(({ event }) => event.id === wanted)
    if (place < 0) {
      const placeInAll = all.findIndex(({ event }) => event.id === wanted)
      if (placeInAll >= 0) find.clear(Math.floor(placeInAll / pageSize) + 1)
      else onWanted(null)
      return
    }
    const itsPage = Math.floor(place / pageSize) + 1
    if (itsPage !== page) {
      find.setPage(itsPage)
      return
    }
    // After the form that closes has given the focus back to the button that opened it.
    const timer = setTimeout(() => {
      const title = list.current?.querySelector<HTMLElement>(`[data-event="${wanted}"]`)
      title?.focus({ preventScroll: true })
      title?.scrollIntoView({ block: 'nearest' })
      onWanted(null)
    })
    return () => {
      clearTimeout(timer)
    }
  })
}

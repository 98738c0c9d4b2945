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
  revealedId: number | null
  onReveal: (id: number | null) => void
  onEdit: (id: number) => void
  onCreate: () => void
}

/** All events as cards, six a page, with what finds them (spec §2, Events tab). */
export function EventsList(props: EventsListProps) {
  const { shown, hidden, siteUrl, revealedId, onReveal, onEdit, onCreate } = props
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

  useReveal({ revealedId, onReveal, all, found, page, list, find })

  const deletion = useDeleteEvent({
    deleted: () => {
      // To the card that takes its place, or the one before it.
      const index = cards.findIndex(({ event }) => event.id === deleting?.id)
      const next = cards[index + 1] ?? found[page * pageSize] ?? cards[index - 1]
      setDeleting(null)
      if (next) onReveal(next.event.id)
      else focusHeading()
    },
    restored: onReveal,
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
            onReveal(id)
          }}
        />
      )}
    </>
  )
}

interface RevealOptions extends Pick<EventsListProps, 'revealedId' | 'onReveal'> {
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

/** Turns to the page of the event to reveal, clears a search that hides it, and focuses it. */
function useReveal({ revealedId, onReveal, all, found, page, list, find }: RevealOptions) {
  useEffect(() => {
    if (revealedId === null) return
    const index = found.findIndex(({ event }) => event.id === revealedId)
    if (index < 0) {
      const indexInAll = all.findIndex(({ event }) => event.id === revealedId)
      if (indexInAll >= 0) find.clear(Math.floor(indexInAll / pageSize) + 1)
      else onReveal(null)
      return
    }
    const itsPage = Math.floor(index / pageSize) + 1
    if (itsPage !== page) {
      find.setPage(itsPage)
      return
    }
    // After the form that closes has given the focus back to the button that opened it.
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

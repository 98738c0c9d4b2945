import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CalendarEvent } from '../../../api/types'
import { Button } from '../../../components/ui/button'
import { ToolIcon } from '../../../components/ui/tool-icon'
import { askBeforeLeaving } from '../../../lib/leave-guard'
import { useOpenForm } from '../../../lib/use-open-form'
import { allEventsQuery } from '../api'
import { hiddenEventsQuery } from './api'
import { EventForm } from './event-form'
import { EventsList } from './events-list'
import styles from './events-tab.module.css'
import { LoadingCards, LoadProblem } from './list-states'
import type { PortalSpeakers } from './speakers'
import { SyncButton } from './sync-button'
import type { VenueSearch } from './venue'

interface EventsTabProps {
  /** Where visitors reach the site. */
  siteUrl: string
  speakers: PortalSpeakers
  /** The search for venues, where the site has one. */
  venueSearch?: VenueSearch | undefined
}

/** The portal's Events tab: the list, or the form in its place (spec §2, /admin). */
export function EventsTab({ siteUrl, speakers, venueSearch }: EventsTabProps) {
  const all = useQuery(allEventsQuery())
  const hidden = useQuery(hiddenEventsQuery())
  const { isNew, editedId, openNew, openEdit, close } = useOpenForm('event')
  const heading = useRef<HTMLHeadingElement>(null)
  // The event that the list shows next and gives the focus to: it was just saved or left.
  const [wanted, setWanted] = useState<number | null>(null)
  const isLoaded = all.data !== undefined && !hidden.isPending
  const edited = useEdited(editedId, all.data, hidden.data)
  const isOpen = isNew || edited !== undefined
  const wasOpen = useRef(isOpen)

  useEffect(() => {
    // The form has gone and took the focus along; the list may claim it for an event.
    if (wasOpen.current && !isOpen && wanted === null) heading.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen, wanted])

  return (
    <div className={styles.root}>
      <div className={styles.head}>
        <h1 ref={heading} className={styles.title} tabIndex={-1}>
          Events
        </h1>
        <SyncButton />
        {!isOpen && (
          <Button look="primary" size="dense" onClick={openNew}>
            <ToolIcon name="plus" /> Create New Event
          </Button>
        )}
      </div>
      {isNew || edited ? (
        <EventForm
          key={edited?.id ?? 'new'}
          event={edited}
          siteUrl={siteUrl}
          speakers={speakers}
          venueSearch={venueSearch}
          onSaved={({ id }) => {
            setWanted(id)
            close()
          }}
          onCancel={() => {
            askBeforeLeaving(() => {
              setWanted(editedId)
              close()
            })
          }}
        />
      ) : all.isError ? (
        <LoadProblem
          isBusy={all.isFetching}
          onRetry={() => {
            void all.refetch()
            void hidden.refetch()
          }}
        />
      ) : isLoaded ? (
        <EventsList
          shown={all.data}
          hidden={hidden.data ?? []}
          siteUrl={siteUrl}
          wanted={wanted}
          onWanted={setWanted}
          onEdit={openEdit}
          onCreate={openNew}
          onNowhere={() => heading.current?.focus()}
        />
      ) : (
        <LoadingCards />
      )}
    </div>
  )
}

/**
 * The event that is edited. It stays although the lists lose it, as they may while they are fetched
 * anew: the form must not go, with all that was typed.
 */
function useEdited(
  id: number | null,
  ...lists: (readonly CalendarEvent[] | undefined)[]
): CalendarEvent | undefined {
  const [kept, setKept] = useState<CalendarEvent>()
  const listed =
    id === null ? undefined : lists.flatMap((list) => list ?? []).find((event) => event.id === id)
  if (listed && listed !== kept) setKept(listed)
  return listed ?? (kept?.id === id ? kept : undefined)
}

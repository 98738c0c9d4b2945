import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Alert } from '../../../components/ui/alert'
import { Button } from '../../../components/ui/button'
import { TabHeader } from '../../../components/ui/tabs'
import { confirmBeforeLeaving } from '../../../lib/unsaved-changes'
import { useEditedItem, useOpenForm } from '../../../lib/use-open-form'
import { allEventsQuery } from '../api'
import { unpublishedEventsQuery } from './api'
import { DeletedEvents, useDeletedEventsView } from './deleted-events'
import { EventForm, type NewSpeaker } from './event-form'
import { EventsList, EventsListSkeleton } from './events-list'
import { ImportEventsLink, ImportView, useImportView } from './import/import-view'
import { EventSelection } from './selection'
import type { PortalSpeakers } from './speakers'
import { SyncButton } from './sync-button'
import type { VenueImage, VenueSearch } from './venue-fields'

interface EventsTabProps {
  /** The public URL of the site. */
  siteUrl: string
  speakers: PortalSpeakers
  /** The venue search, if the site has one. */
  venueSearch?: VenueSearch | undefined
  /** Renders a venue's image or map in the form's preview. */
  venueImage?: VenueImage
  /** Renders the dialog that creates a speaker. */
  newSpeaker?: NewSpeaker
}

/** The portal's Events tab: the list, the form (spec §2, /admin), the import or the deleted events. */
export function EventsTab(props: EventsTabProps) {
  const isDeletedShown = useDeletedEventsView()
  const isImportShown = useImportView()
  if (isImportShown) return <ImportView speakers={props.speakers} />
  return (
    <EventSelection speakers={props.speakers}>
      {isDeletedShown ? <DeletedEvents /> : <ListOrForm {...props} />}
    </EventSelection>
  )
}

function ListOrForm(props: EventsTabProps) {
  const { siteUrl, speakers, venueSearch, venueImage, newSpeaker } = props
  const all = useQuery({ ...allEventsQuery(), networkMode: 'always' })
  const unpublished = useQuery(unpublishedEventsQuery())
  const { isNew, editedId, openNew, openEdit, close } = useOpenForm('event')
  // The event just saved, which the list shows and focuses.
  const [revealedId, setRevealedId] = useState<number | null>(null)
  const events = useMemo(
    () => [...(all.data ?? []), ...(unpublished.data ?? [])],
    [all.data, unpublished.data],
  )
  const edited = useEditedItem(editedId, events)

  return (
    <>
      <TabHeader title="Events">
        <SyncButton />
        {!isNew && !edited && <ImportEventsLink />}
        {!isNew && !edited && (
          <Button variant="primary" size="small" data-opens="new" onClick={openNew}>
            <AdminIcon name="plus" /> Create New Event
          </Button>
        )}
      </TabHeader>
      {isNew || edited ? (
        <EventForm
          key={edited?.id ?? 'new'}
          event={edited}
          events={events}
          siteUrl={siteUrl}
          speakers={speakers}
          venueSearch={venueSearch}
          venueImage={venueImage}
          newSpeaker={newSpeaker}
          onSaved={({ id }) => {
            setRevealedId(id)
            close()
          }}
          onCancel={() => {
            confirmBeforeLeaving(close)
          }}
        />
      ) : all.data && !unpublished.isPending ? (
        <EventsList
          shown={all.data}
          unpublished={unpublished.data ?? []}
          siteUrl={siteUrl}
          revealedId={revealedId}
          onReveal={setRevealedId}
          onEdit={openEdit}
          onCreate={openNew}
        />
      ) : all.isError && !all.isFetching ? (
        <Alert
          title="Unable to load events"
          onRetry={() => {
            void all.refetch()
            void unpublished.refetch()
          }}
        />
      ) : (
        <EventsListSkeleton />
      )}
    </>
  )
}

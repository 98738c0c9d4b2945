import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SiteLink } from '../../../components/links'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Alert } from '../../../components/ui/alert'
import { Button } from '../../../components/ui/button'
import { TabHeader } from '../../../components/ui/tabs'
import { confirmBeforeLeaving } from '../../../lib/unsaved-changes'
import { useEditedItem, useOpenForm } from '../../../lib/use-open-form'
import { eventQuery, useListedEvent } from './api'
import { DeletedEvents } from './deleted-events'
import { EventForm, type NewSpeaker } from './event-form'
import { EventsList, EventsListSkeleton, type Revealed } from './events-list'
import { ImportEventsLink, ImportView } from './import/import-view'
import { EventSelection } from './selection'
import type { PortalSpeakers } from './speakers'
import { SyncButton } from './sync-button'
import { useTabView } from './tab-view'
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
  const isDeletedShown = useTabView('deleted')
  const isImportShown = useTabView('import')
  if (isImportShown) return <ImportView speakers={props.speakers} />
  return (
    <EventSelection speakers={props.speakers}>
      {isDeletedShown ? <DeletedEvents /> : <ListOrForm {...props} />}
    </EventSelection>
  )
}

function ListOrForm(props: EventsTabProps) {
  const { siteUrl, speakers, venueSearch, venueImage, newSpeaker } = props
  const { isNew, editedId, isUnknown, openNew, openEdit, close } = useOpenForm('event')
  // The event just saved, which the list shows and focuses.
  const [revealed, setRevealed] = useState<Revealed | null>(null)
  const { edited, isLoading, isMissing, hasFailed, retry } = useEditedEvent(editedId)
  const hasForm = isNew || edited !== undefined || isLoading

  return (
    <>
      <TabHeader title="Events">
        <SyncButton />
        {!hasForm && <ImportEventsLink />}
        {!hasForm && (
          <Button variant="primary" size="small" data-opens="new" onClick={openNew}>
            <AdminIcon name="plus" /> Create New Event
          </Button>
        )}
      </TabHeader>
      {isNew || edited ? (
        <EventForm
          key={edited?.id ?? 'new'}
          event={edited}
          siteUrl={siteUrl}
          speakers={speakers}
          venueSearch={venueSearch}
          venueImage={venueImage}
          newSpeaker={newSpeaker}
          onSaved={({ id }, updateMessage) => {
            setRevealed({ id, retainsFilter: updateMessage !== undefined, updateMessage })
            close()
          }}
          onCancel={() => {
            confirmBeforeLeaving(close)
          }}
        />
      ) : hasFailed ? (
        <Alert title="Unable to load the event" onRetry={retry} />
      ) : isLoading ? (
        <EventsListSkeleton />
      ) : (
        <>
          {(isMissing || isUnknown) && (
            <Alert title="The event of this link is not there">
              If it was deleted, it is in <SiteLink to="?view=deleted">Recently deleted</SiteLink>{' '}
              for 30 days.
            </Alert>
          )}
          <EventsList
            siteUrl={siteUrl}
            revealed={revealed}
            onReveal={setRevealed}
            onEdit={openEdit}
            onCreate={openNew}
          />
        </>
      )}
    </>
  )
}

/** The event with this id: the version of the list, if that has it, and the newest after a change. */
function useEditedEvent(id: number | null) {
  const listed = useListedEvent(id)
  const query = useQuery({
    ...eventQuery(id ?? 0),
    enabled: id !== null,
    ...(listed && { initialData: listed }),
  })
  const edited = useEditedItem(id, query.data ? [query.data] : undefined)
  return {
    edited,
    isLoading: id !== null && query.isFetching && !edited,
    isMissing: id !== null && query.data === null && !query.isFetching && !edited,
    hasFailed: id !== null && query.isError && !query.isFetching && !edited,
    retry: () => void query.refetch(),
  }
}

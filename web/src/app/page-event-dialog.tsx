import type { ComponentType, ReactNode } from 'react'
import type { CalendarEvent } from '../api/types'
import { EventDialog } from '../features/events/public/event-dialog'
import { EditEventLink } from './edit-event-link'
import { EventVenueImage } from './event-venue-image'
import { useSite } from './initial-data'

/** An interest control in the dialog's footer, around its close button. */
export type InterestInDialog = ComponentType<{
  event: CalendarEvent
  closedBy: string | undefined
  closeButton: ReactNode
}>

interface PageEventDialogProps {
  event: CalendarEvent
  /** The interest control for in-person events. */
  interest: InterestInDialog
  onClose: () => void
}

/** An event's dialog with the venue's image and the page's interest control. */
export function PageEventDialog({ event, interest: Interest, onClose }: PageEventDialogProps) {
  const { baseUrl } = useSite()
  return (
    <EventDialog
      event={event}
      baseUrl={baseUrl}
      venueImage={<EventVenueImage location={event.location} />}
      renderInterest={(close, closedBy) => (
        <Interest event={event} closedBy={closedBy} closeButton={close} />
      )}
      editLink={<EditEventLink id={event.id} />}
      onClose={onClose}
    />
  )
}

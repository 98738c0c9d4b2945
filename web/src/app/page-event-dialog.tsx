import type { ComponentType, ReactNode } from 'react'
import type { CalendarEvent } from '../api/types'
import { EventDialog } from '../features/events/public/event-dialog'
import { EventVenue } from './event-venue'
import { useSite } from './first-data'

/** Shows and changes a visitor's interest in the dialog's footer, around its close button. */
export type InterestInDialog = ComponentType<{ eventId: number; between: ReactNode }>

interface PageEventDialogProps {
  event: CalendarEvent
  /** How the page takes interest in an in-person event. */
  interest: InterestInDialog
  onClose: () => void
}

/** An event's dialog with the venue's image and the page's interest controls. */
export function PageEventDialog({ event, interest: Interest, onClose }: PageEventDialogProps) {
  const { baseUrl } = useSite()
  return (
    <EventDialog
      event={event}
      baseUrl={baseUrl}
      venueImage={<EventVenue location={event.location} />}
      renderInterest={(close) => <Interest eventId={event.id} between={close} />}
      onClose={onClose}
    />
  )
}

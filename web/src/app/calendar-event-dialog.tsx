import { EventDialog } from '../features/events/public/event-dialog'
import { InterestIndication } from '../features/interest/interest-toggle'
import { EventVenue } from './event-venue'
import type { EventDialogProps } from './event-calendar'

/** An event's dialog on the public calendar: interest is indicated, and that is that (spec §7). */
export function CalendarEventDialog({ event, onClose }: EventDialogProps) {
  return (
    <EventDialog
      event={event}
      venuePicture={<EventVenue event={event} />}
      renderInterest={(close) => <InterestIndication eventId={event.id} between={close} />}
      onClose={onClose}
    />
  )
}

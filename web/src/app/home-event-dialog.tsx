import { EventDialog } from '../features/events/public/event-dialog'
import { InterestToggle } from '../features/interest/interest-toggle'
import { EventVenue } from './event-venue'
import type { EventDialogProps } from './event-calendar'

/** An event's dialog on the home page: interest can be taken back (spec §4, Interest toggle). */
export function HomeEventDialog({ event, onClose }: EventDialogProps) {
  return (
    <EventDialog
      event={event}
      venuePicture={<EventVenue event={event} />}
      renderInterest={(close) => <InterestToggle eventId={event.id} between={close} />}
      onClose={onClose}
    />
  )
}

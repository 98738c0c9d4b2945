import { EventDialog } from '../features/events/public/event-dialog'
import { InterestToggle } from '../features/interest/interest-toggle'
import type { EventDialogProps } from './event-calendar'
import { EventVenue } from './event-venue'
import { useSite } from './first-data'

/** An event's dialog on the home page: interest can be taken back (spec §4, Interest toggle). */
export function HomeEventDialog({ event, onClose }: EventDialogProps) {
  const { baseUrl } = useSite()
  return (
    <EventDialog
      event={event}
      baseUrl={baseUrl}
      venuePicture={<EventVenue event={event} />}
      renderInterest={(close) => <InterestToggle eventId={event.id} between={close} />}
      onClose={onClose}
    />
  )
}

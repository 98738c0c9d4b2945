import { EventDialog } from '../features/events/public/event-dialog'
import { InterestIndication } from '../features/interest/interest-toggle'
import type { EventDialogProps } from './event-calendar'
import { EventVenue } from './event-venue'
import { useSite } from './first-data'

/** An event's dialog on the public calendar: interest is indicated, and that is that (spec §7). */
export function CalendarEventDialog({ event, onClose }: EventDialogProps) {
  const { baseUrl } = useSite()
  return (
    <EventDialog
      event={event}
      baseUrl={baseUrl}
      venuePicture={<EventVenue event={event} />}
      renderInterest={(close) => <InterestIndication eventId={event.id} between={close} />}
      onClose={onClose}
    />
  )
}

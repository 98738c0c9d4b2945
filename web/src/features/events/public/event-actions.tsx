import type { CalendarEvent } from '../../../api/types'
import { NewTabLink } from '../../../components/links'
import { MenuLink } from '../../../components/menu-link'
import { buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { componentQuery } from '../../../lib/lazy'
import { type EventState, isClosed, isInPerson } from '../event-presentation'
import styles from './event-actions.module.css'

interface EventLinksProps {
  event: CalendarEvent
  state: EventState
}

/** The registration link of an event that isn't in person (spec §2), and the recording after it. */
export function EventLinks({ event, state }: EventLinksProps) {
  const recording = state === 'over' && event.recordingUrl
  // The preview of a draft may lack the link.
  const hasLink = event.registrationUrl !== ''
  const canRegister = !isInPerson(event.type) && !isClosed(event) && hasLink
  return (
    <>
      {canRegister && (
        <NewTabLink
          className={buttonClass({ variant: recording ? 'secondary' : 'primary' }, styles.root)}
          href={event.registrationUrl}
        >
          Register Now <Icon name="leave" />
        </NewTabLink>
      )}
      {recording && (
        <NewTabLink className={buttonClass({ variant: 'primary' }, styles.root)} href={recording}>
          Watch the recording <Icon name="leave" />
        </NewTabLink>
      )}
    </>
  )
}

const menuQuery = componentQuery(
  'add-to-calendar-menu',
  async () => (await import('./add-to-calendar-menu')).AddToCalendarMenu,
)

interface AddToCalendarProps {
  className: string
  event: CalendarEvent
  /** The public URL of the site. */
  baseUrl: string
}

/** Whether an event can be added to a calendar: not one that is over or closed. */
export function canBeAdded(event: CalendarEvent, state: EventState): boolean {
  return state !== 'over' && !isClosed(event)
}

/** Adds an event to the visitor's calendar; without scripts, as a file. */
export function AddToCalendar({ className, event, baseUrl }: AddToCalendarProps) {
  return (
    <MenuLink
      href={`${event.path}.ics`}
      className={className}
      menuQuery={menuQuery}
      renderMenu={(Menu, open) => <Menu event={event} baseUrl={baseUrl} {...open} />}
    >
      <Icon name="calendar" /> Add to Calendar
    </MenuLink>
  )
}

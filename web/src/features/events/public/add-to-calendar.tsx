import type { CalendarEvent } from '../../../api/types'
import { MenuLink } from '../../../components/menu-link'
import { Icon } from '../../../components/ui/icon'
import { componentQuery } from '../../../lib/lazy'

const menuPart = componentQuery(
  'add-to-calendar-menu',
  async () => (await import('./add-to-calendar-menu')).AddToCalendarMenu,
)

interface AddToCalendarProps {
  className: string
  event: CalendarEvent
  /** The public URL of the site. */
  baseUrl: string
}

/** Adds an event to the visitor's calendar; as a file without scripts or if the menu fails. */
export function AddToCalendar({ className, event, baseUrl }: AddToCalendarProps) {
  return (
    <MenuLink
      href={`${event.path}.ics`}
      className={className}
      part={menuPart}
      renderMenu={(Menu, open) => <Menu event={event} baseUrl={baseUrl} {...open} />}
    >
      <Icon name="calendar" /> Add to Calendar
    </MenuLink>
  )
}

import type { CalendarEvent } from '../../../api/types'
import { MenuLink } from '../../../components/menu-link'
import { Icon } from '../../../components/ui/icon'
import { lazyPartQuery } from '../../../lib/lazy-part-query'

const menuPart = lazyPartQuery(
  'add-to-calendar-menu',
  async () => (await import('./add-to-calendar-menu')).AddToCalendarMenu,
)

interface AddToCalendarProps {
  className: string
  event: CalendarEvent
  /** Where visitors reach the site. */
  baseUrl: string
}

/** Puts an event into the visitor's own calendar; without scripts, and at worst, as a file. */
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

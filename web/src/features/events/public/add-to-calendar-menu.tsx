import type { CalendarEvent } from '../../../api/types'
import { NewTabLink } from '../../../components/links'
import type { OpenMenu } from '../../../components/menu-link'
import { Menu, menuItem } from '../../../components/ui/menu'
import { calendarLinks } from './calendar-links'

interface AddToCalendarMenuProps extends OpenMenu {
  event: CalendarEvent
  baseUrl: string
}

/** The menu of calendars to add an event to. */
export function AddToCalendarMenu({ event, baseUrl, ...open }: AddToCalendarMenuProps) {
  const links = calendarLinks(event, baseUrl)
  return (
    <Menu label="Add to Calendar" {...open}>
      <NewTabLink className={menuItem} href={links.google} onClick={open.onClose}>
        Google Calendar
      </NewTabLink>
      <NewTabLink className={menuItem} href={links.outlook} onClick={open.onClose}>
        Outlook
      </NewTabLink>
      <a className={menuItem} href={links.ical} onClick={open.onClose}>
        Apple Calendar and others (.ics)
      </a>
    </Menu>
  )
}

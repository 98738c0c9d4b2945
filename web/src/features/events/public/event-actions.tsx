import type { CalendarEvent } from '../../../api/types'
import { NewTabLink } from '../../../components/links'
import { MenuLink } from '../../../components/menu-link'
import { buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { componentQuery } from '../../../lib/lazy'
import styles from './register-link.module.css'

/** The registration link of an event that isn't in person (spec §2). */
export function RegisterLink({ href }: { href: string }) {
  return (
    <NewTabLink className={buttonClass({ variant: 'primary' }, styles.root)} href={href}>
      Register Now <Icon name="leave" />
    </NewTabLink>
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

/** Adds an event to the visitor's calendar; as a file without scripts or if the menu fails. */
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

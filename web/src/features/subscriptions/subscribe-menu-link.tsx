import { MenuLink } from '../../components/menu-link'
import { buttonClass } from '../../components/ui/button'
import { Icon } from '../../components/ui/icon'
import { componentQuery } from '../../lib/lazy'
import { calendarFile } from './calendar-file'

const menuQuery = componentQuery(
  'subscribe-menu',
  async () => (await import('./subscribe-menu')).SubscribeMenu,
)

interface SubscribeMenuLinkProps {
  /** The public URL of the site, and its name. */
  baseUrl: string
  siteName: string
  /** Only events of this type; all by default. */
  type?: string | null
}

/** Opens the menu to subscribe to the calendar. */
export function SubscribeMenuLink({ baseUrl, siteName, type = null }: SubscribeMenuLinkProps) {
  return (
    <MenuLink
      href={calendarFile(type)}
      className={buttonClass({ size: 'small' })}
      menuQuery={menuQuery}
      renderMenu={(Menu, open) => (
        <Menu baseUrl={baseUrl} siteName={siteName} type={type} {...open} />
      )}
    >
      <Icon name="calendar" /> Subscribe to this calendar
    </MenuLink>
  )
}

import { MenuLink } from '../../components/menu-link'
import { buttonClass } from '../../components/ui/button'
import { Icon } from '../../components/ui/icon'
import { componentQuery } from '../../lib/lazy'
import { calendarFile, type SubscribedSeries } from './calendar-file'

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
  /** Only events of this series. */
  series?: SubscribedSeries
}

/** Opens the menu to subscribe to the calendar; without scripts it leads to the calendar file. */
export function SubscribeMenuLink({ type = null, series, ...site }: SubscribeMenuLinkProps) {
  return (
    <MenuLink
      href={calendarFile(type, series)}
      className={buttonClass({ size: 'small' })}
      menuQuery={menuQuery}
      renderMenu={(Menu, open) => <Menu {...site} type={type} series={series} {...open} />}
    >
      <Icon name="calendar" />
      {series ? ' Subscribe to this series' : ' Subscribe to this calendar'}
    </MenuLink>
  )
}

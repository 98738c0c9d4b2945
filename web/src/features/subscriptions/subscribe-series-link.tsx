import { MenuLink } from '../../components/menu-link'
import { buttonClass } from '../../components/ui/button'
import { Icon } from '../../components/ui/icon'
import { componentQuery } from '../../lib/lazy'
import { type SubscribedSeries, seriesParameter } from './calendar-file'

const menuQuery = componentQuery(
  'subscribe-menu',
  async () => (await import('./subscribe-menu')).SubscribeMenu,
)

interface SubscribeSeriesLinkProps {
  /** The public URL of the site, and its name. */
  baseUrl: string
  siteName: string
  series: SubscribedSeries
}

/** Opens the menu to subscribe to a series; without scripts it leads to the calendar file. */
export function SubscribeSeriesLink({ baseUrl, siteName, series }: SubscribeSeriesLinkProps) {
  return (
    <MenuLink
      href={`/calendar.ics${seriesParameter(series)}`}
      className={buttonClass({ size: 'small' })}
      menuQuery={menuQuery}
      renderMenu={(Menu, open) => (
        <Menu baseUrl={baseUrl} siteName={siteName} series={series} {...open} />
      )}
    >
      <Icon name="calendar" /> Subscribe to this series
    </MenuLink>
  )
}

import { NewTabLink } from '../../components/links'
import type { OpenMenu } from '../../components/menu-link'
import { Menu, menuItem, menuNote } from '../../components/ui/menu'
import type { SubscribedSeries } from './calendar-file'
import { googleNote, subscriptionLinks } from './subscription-links'
import { CopyUrl } from './subscription-list'

interface SubscribeMenuProps extends OpenMenu {
  baseUrl: string
  siteName: string
  type?: string | null
  /** Only events of this series. */
  series?: SubscribedSeries | undefined
}

/** The menu of calendar applications to subscribe with. */
export function SubscribeMenu(props: SubscribeMenuProps) {
  const { baseUrl, siteName, type = null, series, ...open } = props
  const links = subscriptionLinks(baseUrl, siteName, type, series)
  const only = series?.name ?? type
  return (
    <Menu label={only ? `Subscribe to ${only}` : 'Subscribe to this calendar'} {...open}>
      <a className={menuItem} href={links.apple} onClick={open.onClose}>
        Apple Calendar
      </a>
      <NewTabLink className={menuItem} href={links.google} onClick={open.onClose}>
        Google Calendar
      </NewTabLink>
      <NewTabLink className={menuItem} href={links.outlook} onClick={open.onClose}>
        Outlook.com
      </NewTabLink>
      <CopyUrl className={menuItem} url={links.url} />
      <a className={menuItem} href={links.feed} type="application/atom+xml">
        New events as a feed (Atom)
      </a>
      <p className={menuNote}>{googleNote}</p>
    </Menu>
  )
}

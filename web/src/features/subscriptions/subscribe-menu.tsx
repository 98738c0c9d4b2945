import { NewTabLink } from '../../components/links'
import type { OpenMenu } from '../../components/menu-link'
import { Menu, menuItem, menuNote } from '../../components/ui/menu'
import { googleNote, subscriptionLinks } from './subscription-links'
import { CopyAddress } from './subscription-list'

interface SubscribeMenuProps extends OpenMenu {
  baseUrl: string
  siteName: string
  type: string | null
}

/** The menu of calendar applications to subscribe with. */
export function SubscribeMenu({ baseUrl, siteName, type, ...open }: SubscribeMenuProps) {
  const links = subscriptionLinks(baseUrl, siteName, type)
  return (
    <Menu label={type ? `Subscribe to ${type}` : 'Subscribe to this calendar'} {...open}>
      <a className={menuItem} href={links.apple} onClick={open.onClose}>
        Apple Calendar
      </a>
      <NewTabLink className={menuItem} href={links.google} onClick={open.onClose}>
        Google Calendar
      </NewTabLink>
      <NewTabLink className={menuItem} href={links.outlook} onClick={open.onClose}>
        Outlook.com
      </NewTabLink>
      <CopyAddress className={menuItem} address={links.address} />
      <a className={menuItem} href={links.feed} type="application/atom+xml">
        New events as a feed (Atom)
      </a>
      <p className={menuNote}>{googleNote}</p>
    </Menu>
  )
}

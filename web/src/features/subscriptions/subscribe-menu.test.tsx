import { onlineManager } from '@tanstack/react-query'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { reloadToClick } from '../../components/load-failure'
import { renderComponent } from '../../testing/render'
import { server } from '../../testing/session'
import { SubscribeMenuLink } from './subscribe-menu-link'
import { SubscriptionList } from './subscription-list'

vi.mock('../../components/load-failure', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  reloadToClick: vi.fn(),
}))

beforeEach(() => {
  vi.mocked(reloadToClick).mockClear()
})

const site = 'https://events.example.com'
const show = (type?: string) =>
  renderComponent(<SubscribeMenuLink baseUrl={site} siteName="EM Events" type={type ?? null} />)
const opener = () => screen.getByRole('link', { name: 'Subscribe to this calendar' })
const itemsOf = (menu: HTMLElement) =>
  [...menu.querySelectorAll<HTMLElement>('a, button')].map((item) => item.textContent)

async function open(user: ReturnType<typeof show>['user'], name = 'Subscribe to this calendar') {
  await user.click(opener())
  return screen.findByRole('group', { name })
}

describe('the subscribe menu', () => {
  it('links to the calendar file without scripts', () => {
    show('Special')
    expect(opener()).toHaveAttribute('href', '/calendar.ics?type=special')
    expect(opener()).toHaveAttribute('aria-expanded', 'false')
  })

  it('has a link per calendar application and focuses the first', async () => {
    const { user } = show()
    const menu = await open(user)
    expect(opener()).toHaveAttribute('aria-expanded', 'true')
    expect(itemsOf(menu)).toEqual([
      'Apple Calendar',
      expect.stringMatching(/^Google Calendar/),
      expect.stringMatching(/^Outlook\.com/),
      'Copy the link',
      'New events as a feed (Atom)',
    ])
    const apple = within(menu).getByRole('link', { name: 'Apple Calendar' })
    expect(apple).toHaveFocus()
    expect(apple).toHaveAttribute('href', 'webcal://events.example.com/calendar.ics')
    expect(within(menu).getByText(/^Google refreshes/)).toBeVisible()
  })

  it('subscribes to the type that the page is filtered by and shows it', async () => {
    const { user } = show('Physician on FIRE')
    const menu = await open(user, 'Subscribe to Physician on FIRE')
    expect(within(menu).getByRole('link', { name: 'Apple Calendar' })).toHaveAttribute(
      'href',
      'webcal://events.example.com/calendar.ics?type=physician-on-fire',
    )
  })

  it('is navigated with the arrow keys, cyclically, and Home and End', async () => {
    const { user } = show()
    const menu = await open(user)
    const focused = () => document.activeElement?.textContent
    await user.keyboard('{ArrowDown}')
    expect(focused()).toMatch(/^Google/)
    await user.keyboard('{End}')
    expect(focused()).toMatch(/^New events/)
    await user.keyboard('{ArrowDown}')
    expect(focused()).toBe('Apple Calendar')
    await user.keyboard('{ArrowUp}')
    expect(focused()).toMatch(/^New events/)
    await user.keyboard('{Home}')
    expect(within(menu).getByRole('link', { name: 'Apple Calendar' })).toHaveFocus()
  })

  it('closes when the browser closes it, as on Escape, and returns the focus', async () => {
    const { user } = show()
    const menu = await open(user)
    fireEvent(menu, Object.assign(new Event('toggle'), { newState: 'closed' }))
    expect(menu).not.toBeInTheDocument()
    expect(opener()).toHaveAttribute('aria-expanded', 'false')
    expect(opener()).toHaveFocus()
  })

  it('is closed by the link that opened it, with the keyboard too', async () => {
    const { user } = show()
    await open(user)
    opener().focus()
    await user.keyboard('{Enter}')
    expect(screen.queryByRole('group')).not.toBeInTheDocument()
  })

  it('does not handle a click that opens a new tab', () => {
    show()
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true })
    // Prevents the navigation in the test.
    document.addEventListener(
      'click',
      (event) => {
        event.preventDefault()
      },
      { once: true },
    )
    const prevented = vi.spyOn(click, 'preventDefault')
    fireEvent(opener(), click)
    expect(prevented).toHaveBeenCalledTimes(1)
    expect(screen.queryByRole('group')).not.toBeInTheDocument()
  })
})

describe('copying the calendar’s URL', () => {
  it('is confirmed, and the menu stays open', async () => {
    const { user } = show()
    const menu = within(await open(user))
    await user.click(menu.getByRole('button', { name: 'Copy the link' }))
    expect(await menu.findByText('Link copied')).toBeVisible()
    expect(menu.getByRole('status')).toHaveTextContent('Link copied')
    expect(await navigator.clipboard.readText()).toBe(`${site}/calendar.ics`)
  })

  it('shows the URL if the browser denies clipboard access', async () => {
    const { user } = show()
    const menu = within(await open(user))
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    await user.click(menu.getByRole('button', { name: 'Copy the link' }))
    expect(await menu.findByText(`${site}/calendar.ics`)).toBeVisible()
  })
})

describe('a menu whose code fails to load', () => {
  it('says so, and loads the page again if another attempt fails', async () => {
    const { user, queryClient } = show('Special')
    server.use(http.head('/', () => new HttpResponse()))
    vi.spyOn(queryClient, 'query').mockRejectedValue(new TypeError('Failed to fetch'))
    await user.click(opener())
    expect(await screen.findByText('The menu could not be opened. Please try again.')).toBeVisible()
    expect(reloadToClick).not.toHaveBeenCalled()
    await user.click(opener())
    await waitFor(() => {
      expect(reloadToClick).toHaveBeenCalledExactlyOnceWith(opener())
    })
    expect(screen.queryByRole('group')).not.toBeInTheDocument()
  })

  it('says so offline at once, and does not open later', async () => {
    const { user } = show()
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    onlineManager.setOnline(false)
    await user.click(opener())
    expect(await screen.findByText('The menu could not be opened. Please try again.')).toBeVisible()
    online.mockRestore()
    onlineManager.setOnline(true)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(screen.queryByRole('group')).not.toBeInTheDocument()
    await user.click(opener())
    expect(await screen.findByRole('group')).toBeVisible()
  })
})

describe('the subscriptions instead of a form', () => {
  it('offer the same links and the feed', () => {
    renderComponent(<SubscriptionList baseUrl={site} siteName="EM Events" />)
    const list = screen.getByRole('list', { name: 'Subscribe with' })
    expect(itemsOf(list)).toHaveLength(4)
    expect(screen.getByRole('link', { name: 'feed of new events' })).toHaveAttribute(
      'href',
      '/feed.xml',
    )
  })
})

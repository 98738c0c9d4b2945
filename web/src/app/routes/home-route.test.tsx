import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { loadPage } from '../../lib/load-page'
import { aVenue, anEvent, anInPersonEvent, homeData } from '../../testing/factories'
import { renderSite } from '../../testing/render'
import { setSignInHint, server, signIn } from '../../testing/session'

vi.mock('../../lib/load-page', () => ({ loadPage: vi.fn() }))

const showHome = (event = anEvent() as Parameters<typeof homeData>[0], site = {}) =>
  renderSite('/', { home: homeData(event), site })

describe('the home page', () => {
  it('shows the stored hero text', () => {
    const content = { heroTitle: 'Spring Season', heroSubtitle: 'Twelve evenings' }
    renderSite('/', { home: homeData(null, content) })
    expect(screen.getByRole('heading', { level: 1, name: 'Spring Season' })).toBeVisible()
    expect(screen.getByText('Twelve evenings')).toBeVisible()
  })

  it('shows the default hero text if none is stored', () => {
    showHome()
    expect(screen.getByRole('heading', { level: 1, name: 'Event Calendar' })).toBeVisible()
    expect(
      screen.getByText(
        'Join us for insightful discussions on real estate investment opportunities and market trends',
      ),
    ).toBeVisible()
  })

  it('shows Stay Tuned if there is no upcoming event', () => {
    showHome(null)
    const region = screen.getByRole('region', { name: 'Stay Tuned for Upcoming Events' })
    expect(
      within(region).getByRole('link', { name: 'Learn More (opens in a new tab)' }),
    ).toHaveAttribute('href', 'https://example.com/more')
    expect(screen.queryByRole('region', { name: 'Next Event' })).not.toBeInTheDocument()
  })

  it('shows the event in progress if no other is upcoming', async () => {
    const start = new Date(Date.now() - 30 * 60_000).toISOString()
    const event = anEvent({ date: start.slice(0, 10), time: start.slice(11, 16), timezone: 'UTC' })
    renderSite('/', { home: { ...homeData(null), events: [event] } })
    const card = within(await screen.findByRole('region', { name: 'Next Event' }))
    expect(card.getByText('Live now')).toBeVisible()
    expect(screen.queryByText('Stay Tuned for Upcoming Events')).not.toBeInTheDocument()
  })

  it('does not show an event that has started since the page was rendered', async () => {
    showHome(anEvent({ date: '2020-01-01' }))
    expect(await screen.findByText('Stay Tuned for Upcoming Events')).toBeVisible()
  })

  it('fetches what is not in the page’s data', async () => {
    server.use(
      http.get('/api/events', () => HttpResponse.json([anEvent({ title: 'Fetched event' })])),
      http.get('/api/page-content/home', () =>
        HttpResponse.json({ heroTitle: 'Fetched title', heroSubtitle: 'Fetched subtitle' }),
      ),
    )
    renderSite('/')
    expect(screen.getAllByText('Loading events...')[0]).toBeInTheDocument()
    expect(screen.queryByText('Event Calendar')).not.toBeInTheDocument()
    expect(await screen.findByRole('heading', { name: 'Fetched event' })).toBeVisible()
    expect(await screen.findByRole('heading', { name: 'Fetched title' })).toBeVisible()
  })

  it('lets visitors plan to attend an in-person event', async () => {
    showHome(anInPersonEvent())
    expect(screen.getByRole('button', { name: 'Planning to Attend' })).toBeEnabled()
    expect(await screen.findByText(/attending/)).toHaveTextContent('3 investors attending')
  })

  it('shows a map of the venue if the site has a maps key', () => {
    const location = aVenue({ placeId: 'place 1' })
    showHome(anInPersonEvent({ location }), { mapsBrowserKey: 'key' })
    expect(screen.getByTitle('Map of The Arcadia House')).toHaveAttribute(
      'src',
      'https://www.google.com/maps/embed/v1/place?key=key&q=place_id%3Aplace+1',
    )
  })

  it('shows a photo of the venue without a maps key, and fetches it once in 24 hours', async () => {
    const onRequest = vi.fn()
    server.use(
      http.get('/api/places/photo/:placeId', ({ params }) => {
        onRequest(params.placeId)
        return HttpResponse.json({
          photoUrl: '/pictures/venue.jpg',
          attributions: [{ name: 'Jane Roe', uri: null }],
        })
      }),
    )
    const event = anInPersonEvent({ location: aVenue({ placeId: 'place-1' }) })
    const first = showHome(event)
    expect(await screen.findByText(/Jane Roe/)).toBeInTheDocument()
    expect(first.container.querySelector('img[src="/pictures/venue.jpg"]')).toBeInTheDocument()
    first.unmount()

    showHome(event)
    expect(await screen.findByText(/Jane Roe/)).toBeInTheDocument()
    expect(onRequest).toHaveBeenCalledExactlyOnceWith('place-1')
  })

  it('shows the banner if there is no photo', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    server.use(
      http.get('/api/places/photo/:id', () => HttpResponse.json({ error: 'x' }, { status: 503 })),
    )
    const { container } = showHome(anInPersonEvent({ location: aVenue({ placeId: 'place-1' }) }))
    await waitFor(() => {
      expect(warn).toHaveBeenCalled()
    })
    expect(
      container.querySelector('img[src="/art/banner-in-person-events.svg"]'),
    ).toBeInTheDocument()
  })

  it('shows the company in the footer', () => {
    showHome()
    const footer = within(screen.getByRole('contentinfo'))
    for (const name of ['Who We Are', 'Investments', 'Discover', 'Explore More']) {
      expect(footer.getByRole('navigation', { name })).toBeVisible()
    }
    expect(footer.getByRole('link', { name: '(303) 555-0142' })).toHaveAttribute(
      'href',
      'tel:3035550142',
    )
    expect(footer.getByRole('link', { name: /^Schedule a Call/ })).toHaveAttribute(
      'target',
      '_blank',
    )
  })
})

describe('the header', () => {
  it('shows visitors no controls', async () => {
    setSignInHint()
    showHome()
    expect(screen.getByText('Loading...')).toBeInTheDocument()
    await waitFor(() => {
      expect(screen.queryByText('Loading...')).not.toBeInTheDocument()
    })
    expect(screen.queryByRole('button', { name: 'Logout' })).not.toBeInTheDocument()
    const header = within(screen.getByRole('banner'))
    expect(header.getByRole('link', { name: 'EM Events, home' })).toHaveAttribute('href', '/')
  })

  it('shows admins the portal link and Logout, even if logging out fails', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    signIn()
    server.use(http.post('/api/auth/logout', () => new HttpResponse(null, { status: 500 })))
    const { user, queryClient } = showHome()
    expect(await screen.findByRole('link', { name: 'Admin Portal' })).toHaveAttribute(
      'href',
      '/admin',
    )

    const left = vi.fn()
    vi.mocked(loadPage).mockImplementation((href) => {
      left(href, queryClient.getQueryCache().getAll().length, queryClient.getQueryData(['user']))
    })
    await user.click(screen.getByRole('button', { name: 'Logout' }))
    await waitFor(() => {
      expect(left).toHaveBeenCalledWith('/', 1, null)
    })
  })

  it('does not request the user without the sign-in hint', async () => {
    const onRequest = vi.fn()
    server.events.on('request:start', onRequest)
    showHome()
    expect(await screen.findByRole('table')).toBeInTheDocument()
    server.events.removeListener('request:start', onRequest)
    expect(onRequest).not.toHaveBeenCalled()
  })

  it('fetches the user again on window focus, bypassing caches', async () => {
    setSignInHint()
    const onRequest = vi.fn()
    server.use(
      http.get('/api/user', ({ request }) => {
        onRequest(new URL(request.url).searchParams.get('t'), request.cache)
        return HttpResponse.json({ error: 'Not authenticated' }, { status: 401 })
      }),
    )
    showHome()
    await waitFor(() => {
      expect(onRequest).toHaveBeenCalledTimes(1)
    })
    act(() => {
      window.dispatchEvent(new Event('visibilitychange'))
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await waitFor(() => {
      expect(onRequest).toHaveBeenCalledTimes(2)
    })
    expect(onRequest).toHaveBeenLastCalledWith(expect.stringMatching(/^\d+$/), 'no-store')
  })
})

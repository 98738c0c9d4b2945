import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { anEvent, anInPersonEvent, aSpeaker, homeData } from '../testing/factories'
import { renderSite } from '../testing/render'
import { server } from '../testing/session'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 2, 5, 12, 0) })
})

afterEach(() => {
  vi.useRealTimers()
})

const webinar = anEvent({ date: '2026-03-10', title: 'First five deals' }, [
  aSpeaker({ name: 'Dr. Ada Okafor', title: 'Hospitalist', bio: 'Nine syndications.' }),
])
const dinner = anInPersonEvent({ date: '2026-03-19', title: 'Property walk' })

const showHome = (path = '/') =>
  renderSite(path, { home: { ...homeData(webinar), events: [webinar, dinner] } })

describe('an event’s dialog on the home page', () => {
  it('shows the event’s details', async () => {
    const { user } = showHome()
    await user.click(await screen.findByRole('link', { name: /^First five deals, Tuesday/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'First five deals' }))
    expect(dialog.getByText('Pillars of Wealthbuilding')).toBeVisible()
    expect(dialog.getByText('March 10, 2026 at 8:00 PM ET')).toBeVisible()
    expect(dialog.getByText('5:00 PM PT')).toBeVisible()
    // The tests run in Kolkata.
    expect(dialog.getByText('Your time').nextSibling).toHaveTextContent('Mar 11, 5:30 AM GMT+5:30')
    expect(dialog.getByText('Line by line.')).toBeVisible()
    expect(dialog.getByRole('heading', { name: 'Featured Speakers' })).toBeVisible()
    expect(dialog.getByText('Dr. Ada Okafor')).toBeVisible()
    expect(dialog.getByText('Nine syndications.')).toBeVisible()
    expect(dialog.getByRole('link', { name: 'Register Now (opens in a new tab)' })).toHaveAttribute(
      'href',
      'https://example.com/register',
    )
  })

  it('focuses its title and returns the focus', async () => {
    const { user } = showHome()
    const opener = await screen.findByRole('link', { name: /^First five deals, Tuesday/ })
    await user.click(opener)
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByRole('heading', { name: 'First five deals' })).toHaveFocus()
    await user.click(dialog.getByRole('button', { name: 'Close' }))
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    })
    expect(opener).toHaveFocus()
  })

  it('is in the URL, and Back closes it', async () => {
    const { user } = showHome()
    await user.click(await screen.findByRole('link', { name: /^First five deals, Tuesday/ }))
    await screen.findByRole('dialog')
    expect(window.location.search).toBe(`?event=${webinar.id}`)
    act(() => {
      window.history.back()
    })
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    })
    expect(window.location.search).toBe('')
  })

  it('opens from a shared link and closes without leaving the page', async () => {
    const { user } = showHome(`/?event=${dinner.id}`)
    const dialog = within(await screen.findByRole('dialog', { name: 'Property walk' }))
    const entries = window.history.length
    await user.click(dialog.getByRole('button', { name: 'Close dialog' }))
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    })
    expect(window.location.href).toMatch(/\/$/)
    expect(window.history.length).toBe(entries)
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  })

  it('fetches an event that is not in the page’s data', async () => {
    const later = anEvent({ title: 'Far away', date: '2031-01-01' })
    server.use(http.get('/api/events', () => HttpResponse.json([webinar, dinner, later])))
    showHome(`/?event=${later.id}`)
    expect(await screen.findByRole('dialog', { name: 'Far away' })).toBeVisible()
  })

  it.each(['999999', 'x', '-1'])('shows a message for the unknown event %s', async (id) => {
    showHome(`/?event=${id}`)
    expect(await screen.findByText('Event not found')).toBeVisible()
    expect(window.location.search).toBe('')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('lets visitors plan to attend an in-person event, and cancel', async () => {
    const sent = vi.fn()
    server.use(
      http.put('/api/events/:id/interest', async ({ request }) => {
        const { action } = (await request.json()) as { action: string }
        sent(action)
        return HttpResponse.json(
          action === 'add' ? { count: 4, hasInterest: true } : { count: 3, hasInterest: false },
        )
      }),
    )
    const { user } = showHome(`/?event=${dinner.id}`)
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('The Arcadia House')).toBeVisible()
    expect(dialog.getByText('Scottsdale, AZ')).toBeVisible()
    expect(dialog.queryByText('Your time')).not.toBeInTheDocument()
    expect(dialog.getByText('Open in Maps')).toBeVisible()

    await user.dblClick(dialog.getByRole('button', { name: 'Planning to Attend' }))
    await user.click(await dialog.findByRole('button', { name: "Can't Attend" }))
    await dialog.findByRole('button', { name: 'Planning to Attend' })
    expect(sent.mock.calls).toEqual([['add'], ['remove']])
  })
})

describe('the public calendar', () => {
  const showCalendar = (path = '/calendar') => {
    server.use(http.get('/api/events', () => HttpResponse.json([webinar, dinner])))
    return renderSite(path)
  }

  it('loads and shows all events', async () => {
    showCalendar()
    expect(screen.getByRole('heading', { level: 1, name: 'Events Calendar' })).toBeVisible()
    expect(screen.getByText('View and register for upcoming events')).toBeVisible()
    expect(screen.getByText('Loading events...')).toBeInTheDocument()
    expect(await screen.findByRole('link', { name: /^Property walk/ })).toBeVisible()
    expect(screen.getByText('2 events shown')).toBeInTheDocument()
  })

  it('filters by type, and has the type in the URL', async () => {
    const { user } = showCalendar()
    await screen.findByRole('link', { name: /^Property walk/ })
    const filter = screen.getByRole('combobox', { name: 'Event type' })
    expect(
      within(filter)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'All Events',
      'Investor Insights',
      'Pillars of Wealthbuilding',
      'Physician on FIRE',
      'In-Person Events',
      'IRA-Related Webinars',
      'Special',
    ])
    await user.selectOptions(filter, 'In-Person Events')
    await waitFor(() => {
      expect(screen.getByText('1 event shown')).toBeInTheDocument()
    })
    expect(screen.queryByRole('link', { name: /^First five deals/ })).not.toBeInTheDocument()
    expect(window.location.search).toBe('?type=In-Person+Events')
  })

  it('starts with the type in the URL', async () => {
    showCalendar('/calendar?type=In-Person+Events')
    await screen.findByRole('link', { name: /^Property walk/ })
    expect(screen.getByRole('combobox')).toHaveValue('In-Person Events')
    expect(screen.getByText('1 event shown')).toBeInTheDocument()
  })

  it('indicates interest without a body, as the visitor in the cookie', async () => {
    const sent = vi.fn()
    server.use(
      http.post('/api/events/:id/interest', async ({ request }) => {
        sent(await request.text(), document.cookie.includes('visitor=user_'))
        return HttpResponse.json({ count: 4, hasInterest: true })
      }),
    )
    const { user } = showCalendar(`/calendar?event=${dinner.id}`)
    const dialog = within(await screen.findByRole('dialog'))
    await dialog.findByText(/investors attending/)
    await user.click(dialog.getByRole('button', { name: 'Planning to Attend' }))
    expect(await screen.findByText('Interest indicated')).toBeVisible()
    expect(screen.getByText('Thank you for your interest in this event!')).toBeVisible()
    expect(dialog.getByText(/attending/)).toHaveTextContent('4 investors attending')
    expect(sent).toHaveBeenCalledExactlyOnceWith('', true)
  })

  it('shows an error if indicating interest fails, and fetches the count again', async () => {
    server.use(http.post('/api/events/:id/interest', () => new HttpResponse(null, { status: 503 })))
    const { user } = showCalendar(`/calendar?event=${dinner.id}`)
    const dialog = within(await screen.findByRole('dialog'))
    await dialog.findByText(/investors attending/)
    server.use(
      http.get('/api/events/:id/interest', () =>
        HttpResponse.json({ count: 7, hasInterest: true }),
      ),
    )
    await user.click(dialog.getByRole('button', { name: 'Planning to Attend' }))
    expect(await screen.findByText('Failed to indicate interest. Please try again.')).toBeVisible()
    await waitFor(() => {
      expect(dialog.getByText(/attending/)).toHaveTextContent('7 investors attending')
    })
  })
})

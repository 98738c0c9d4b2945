import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import type { CalendarEvent } from '../../api/types'
import { anEvent, homeData } from '../../testing/factories'
import { renderSite } from '../../testing/render'
import { server } from '../../testing/session'

const path = '/series/tax-tuesdays'

/** Three events of a series, of which the first is over. */
function taxTuesdays(): CalendarEvent[] {
  const dates = ['2020-03-10', '2099-03-10', '2099-03-17']
  const events = ['Returns', 'Deductions', 'Refunds'].map((title, index) =>
    anEvent({
      title,
      series: 'Tax Tuesdays',
      date: dates[index] ?? '',
      startsAt: `${dates[index] ?? ''}T23:00:00Z`,
    }),
  )
  return events.map((event, index) => {
    const [previous, next] = [events[index - 1], events[index + 1]]
    return {
      ...event,
      seriesPosition: {
        path,
        number: index + 1,
        count: 3,
        ...(previous && { previous: { title: previous.title, path: previous.path } }),
        ...(next && { next: { title: next.title, path: next.path } }),
      },
    }
  })
}

const serve = (events: CalendarEvent[]) => {
  server.use(http.get('/api/events', () => HttpResponse.json(events)))
}

describe('the page of a series', () => {
  it('lists its events with their positions, upcoming ones first', async () => {
    serve([...taxTuesdays(), anEvent({ title: 'Another' })])
    renderSite(path)
    expect(await screen.findByRole('heading', { level: 1, name: 'Tax Tuesdays' })).toBeVisible()
    expect(screen.getByText('A series of 3 events')).toBeVisible()
    const upcoming = within(screen.getByRole('region', { name: 'Upcoming events' }))
    expect(upcoming.getAllByRole('link').map((link) => link.textContent)).toEqual([
      expect.stringMatching(/^2 of 3Deductions/),
      expect.stringMatching(/^3 of 3Refunds/),
    ])
    const past = within(screen.getByRole('region', { name: 'Past events' }))
    expect(past.getByRole('link', { name: /Returns/ })).toBeVisible()
    expect(screen.queryByText('Another')).not.toBeInTheDocument()
    expect(document.title).toMatch(/^Tax Tuesdays/)
    expect(screen.getByRole('link', { name: 'Subscribe to this series' })).toHaveAttribute(
      'href',
      '/calendar.ics?series=tax-tuesdays',
    )
  })

  it('is not found without an event of the series', async () => {
    serve([anEvent()])
    renderSite(path)
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  })

  it('offers to try again after a failure', async () => {
    server.use(http.get('/api/events', () => new HttpResponse(null, { status: 500 })))
    const { user } = renderSite(path)
    expect(await screen.findByText('Unable to load events')).toBeVisible()
    serve(taxTuesdays())
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Tax Tuesdays' })).toBeVisible()
  })
})

describe('the page of an event of a series', () => {
  it('leads to the series and to the events before and after it', async () => {
    const [first, second, third] = taxTuesdays()
    if (!first || !second || !third) throw new Error('three events')
    serve([first, second, third])
    const { user } = renderSite(second.path, { event: second })
    const page = within(await screen.findByRole('article', { name: 'Deductions' }))
    expect(page.getByText('Series').nextElementSibling).toHaveTextContent(
      'Tax Tuesdays, 2 of 3Previous: ReturnsNext: Refunds',
    )
    await user.click(page.getByRole('link', { name: 'Refunds' }))
    const next = within(await screen.findByRole('article', { name: 'Refunds' }))
    await user.click(next.getByRole('link', { name: 'Tax Tuesdays' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Tax Tuesdays' })).toBeVisible()
  })

  it('leaves the focus on the heading of the series, also from its dialog opened by the URL', async () => {
    const events = taxTuesdays()
    const [event] = events
    if (!event) throw new Error('three events')
    serve(events)
    const { user } = renderSite(`/?event=${event.id}`, { home: homeData(event) })
    const dialog = within(await screen.findByRole('dialog', { name: 'Returns' }))
    await user.click(dialog.getByRole('link', { name: 'Tax Tuesdays' }))
    const heading = await screen.findByRole('heading', { level: 1, name: 'Tax Tuesdays' })
    await waitFor(() => {
      expect(heading).toHaveFocus()
    })
  })

  it('shows no number for the only event', async () => {
    const event = anEvent({ series: 'Tax Tuesdays', seriesPosition: { path, number: 1, count: 1 } })
    renderSite(event.path, { event })
    const page = within(await screen.findByRole('article', { name: event.title }))
    expect(page.getByText('Series').nextElementSibling).toHaveTextContent(/^Tax Tuesdays$/)
  })
})

import { onlineManager } from '@tanstack/react-query'
import { act, screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CalendarEvent } from '../../api/types'
import { anEvent, anInPersonEvent, aSpeaker } from '../../testing/factories'
import { renderSite } from '../../testing/render'
import { server } from '../../testing/session'

const online = () =>
  anEvent({ title: 'Rent rolls' }, [
    aSpeaker({ name: 'Dr. Ada Okafor', title: 'Hospitalist', bio: 'Nine syndications.' }),
  ])
const past = { date: '2020-03-10', startsAt: '2020-03-11T00:00:00Z' }

/** Opens the page of an event, which came with it. */
async function show(event: CalendarEvent, path = event.path) {
  const view = renderSite(path, { event })
  const page = within(await screen.findByRole('article', { name: event.title }))
  return { ...view, page }
}

/** What the server answers to all who ask for the events. */
const serve = (events: CalendarEvent[]) => {
  server.use(http.get('/api/events', () => HttpResponse.json(events)))
}

describe('the page of an event', () => {
  it('tells all about it without asking for anything', async () => {
    const asked = vi.fn()
    server.events.on('request:start', asked)
    const { page } = await show(online())
    expect(page.getByRole('heading', { level: 1, name: 'Rent rolls' })).toBeVisible()
    expect(page.getByText('Pillars of Wealthbuilding')).toBeVisible()
    expect(page.getByText('March 10, 2099 at 8:00 PM ET')).toBeVisible()
    expect(page.getByText('Line by line.')).toBeVisible()
    const speakers = page.getByRole('heading', { level: 2, name: 'Featured Speakers' })
    expect(speakers.nextElementSibling).toHaveTextContent('Dr. Ada Okafor')
    expect(page.getByText('Nine syndications.')).toBeVisible()
    expect(page.getByRole('link', { name: /^Register Now/ })).toHaveAttribute(
      'href',
      'https://example.com/register',
    )
    expect(page.getByRole('link', { name: 'Add to Calendar' })).toBeVisible()
    expect(document.title).toMatch(/^Rent rolls/)
    expect(asked).not.toHaveBeenCalled()
    server.events.removeListener('request:start', asked)
  })

  it('is found by its number, whatever the words after it are', async () => {
    const event = online()
    await show(event, `/events/${event.id}`)
    expect(screen.getByRole('heading', { level: 1, name: 'Rent rolls' })).toBeVisible()
  })

  it('has no place for speakers where there are none', async () => {
    const { page } = await show(anEvent({ speakers: [] }))
    expect(page.queryByText('Featured Speakers')).not.toBeInTheDocument()
  })

  it('leads back to the calendar, whose heading then has the focus', async () => {
    const event = online()
    serve([event])
    const { user, page } = await show(event)
    await user.click(page.getByRole('link', { name: 'Back to the calendar' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Events Calendar' })).toHaveFocus()
  })
})

describe('the page of an event in person', () => {
  it('has the venue’s street, the way there, and takes interest', async () => {
    server.use(
      http.put('/api/events/:id/interest', () =>
        HttpResponse.json({ count: 4, hasInterest: true }),
      ),
    )
    const { user, page } = await show(anInPersonEvent())
    expect(page.getByText('4400 North 64th Street')).toBeVisible()
    expect(page.getByRole('button', { name: 'Open in Maps' })).toBeVisible()
    expect(page.queryByRole('link', { name: /^Register Now/ })).not.toBeInTheDocument()
    expect(await page.findByText(/attending/)).toHaveTextContent('3 investors attending')

    await user.click(page.getByRole('button', { name: 'Planning to Attend' }))
    expect(await page.findByRole('button', { name: "Can't Attend" })).toBeEnabled()
    expect(page.getByText(/attending/)).toHaveTextContent('4 investors attending')
  })

  it('has neither directions nor a venue while the place is not known', async () => {
    const { page } = await show(anInPersonEvent({ location: null }))
    expect(page.queryByRole('button', { name: 'Open in Maps' })).not.toBeInTheDocument()
    expect(page.queryByText('Where')).not.toBeInTheDocument()
    expect(page.getByRole('button', { name: 'Planning to Attend' })).toBeVisible()
  })
})

describe('the page of an event that has taken place', () => {
  it.each([
    ['online', anEvent(past)],
    ['in person', anInPersonEvent(past)],
  ])('says so, and offers only to pass it on: %s', async (_, event) => {
    const { page } = await show(event)
    expect(page.getByText('This event has taken place.')).toBeVisible()
    for (const name of [/^Register Now/, 'Add to Calendar']) {
      expect(page.queryByRole('link', { name })).not.toBeInTheDocument()
    }
    expect(page.queryByRole('button', { name: 'Planning to Attend' })).not.toBeInTheDocument()
    expect(page.getByRole('button', { name: 'Share' })).toBeVisible()
  })
})

describe('an event that did not come with the page', () => {
  const event = online()

  afterEach(() => {
    onlineManager.setOnline(true)
  })

  it('is fetched', async () => {
    serve([event])
    renderSite(event.path)
    expect(await screen.findByText('Loading the event...')).toBeInTheDocument()
    expect(await screen.findByRole('heading', { level: 1, name: 'Rent rolls' })).toBeVisible()
  })

  it.each(['/events/999999-gone', '/events/rent-rolls', '/events/12x'])(
    'is not found where there is none: %s',
    async (path) => {
      serve([event])
      renderSite(path)
      expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
      expect(document.title).toMatch(/^Page not found/)
    },
  )

  it('is asked for again after a failure', async () => {
    server.use(http.get('/api/events', () => new HttpResponse(null, { status: 500 })))
    const { user } = renderSite(event.path)
    expect(await screen.findByText('Unable to load events')).toBeVisible()
    expect(screen.queryByText('Page not found')).not.toBeInTheDocument()
    serve([event])
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Rent rolls' })).toBeVisible()
  })

  it('waits for a lost connection', async () => {
    serve([event])
    onlineManager.setOnline(false)
    renderSite(event.path)
    expect(
      await screen.findByText('The events appear as soon as the connection is back.'),
    ).toBeVisible()
    act(() => {
      onlineManager.setOnline(true)
    })
    expect(await screen.findByRole('heading', { level: 1, name: 'Rent rolls' })).toBeVisible()
  })
})

import { onlineManager } from '@tanstack/react-query'
import { act, screen, within } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CalendarEvent } from '../../api/types'
import { anEvent, anInPersonEvent, aSpeaker } from '../../testing/factories'
import { renderSite } from '../../testing/render'
import { holdResponse, server } from '../../testing/session'

const online = () =>
  anEvent({ title: 'Rent rolls' }, [
    aSpeaker({ name: 'Dr. Ada Okafor', title: 'Hospitalist', bio: 'Nine syndications.' }),
  ])
const past = { date: '2020-03-10', startsAt: '2020-03-11T00:00:00Z' }

/** Opens the page of an event that is in the page's data. */
async function show(event: CalendarEvent, path = event.path) {
  const view = renderSite(path, { event })
  const page = within(await screen.findByRole('article', { name: event.title }))
  return { ...view, page }
}

/** Makes the server respond with these events. */
const serve = (events: CalendarEvent[]) => {
  server.use(http.get('/api/events', () => HttpResponse.json(events)))
}

describe('the preview of an event that visitors do not see', () => {
  it('says so, and has no actions that would fail', async () => {
    const event = anInPersonEvent({ title: 'Property walk' })
    renderSite(`${event.path}?preview=secret`, {
      event,
      interest: { count: 3, hasInterest: false, problem: null },
    })
    const page = within(await screen.findByRole('article', { name: event.title }))
    const attend = page.getByRole('button', { name: 'Planning to Attend' })
    expect(attend).toBeDisabled()
    expect(attend).toHaveAccessibleDescription('This is a preview: visitors do not see this event.')
    expect(page.queryByRole('link', { name: 'Add to Calendar' })).not.toBeInTheDocument()
  })

  it('is the page itself once they see it', async () => {
    const event = online()
    const { page } = await show(event, `${event.path}?preview=secret`)
    expect(page.queryByText(/This is a preview/)).not.toBeInTheDocument()
    expect(page.getByRole('link', { name: 'Add to Calendar' })).toBeVisible()
  })
})

describe('the page of an online event', () => {
  it('shows the event’s details without a request', async () => {
    const onRequest = vi.fn()
    server.events.on('request:start', onRequest)
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
    expect(onRequest).not.toHaveBeenCalled()
    server.events.removeListener('request:start', onRequest)
  })

  it('is found by the id alone', async () => {
    const event = online()
    await show(event, `/events/${event.id}`)
    expect(screen.getByRole('heading', { level: 1, name: 'Rent rolls' })).toBeVisible()
  })

  it('has no speakers section without speakers', async () => {
    const { page } = await show(anEvent({ speakers: [] }))
    expect(page.queryByText('Featured Speakers')).not.toBeInTheDocument()
  })

  it('links back to the calendar, whose heading is then focused', async () => {
    const event = online()
    serve([event])
    const { user, page } = await show(event)
    await user.click(page.getByRole('link', { name: 'Back to the calendar' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Events Calendar' })).toHaveFocus()
  })
})

describe('the page of an in-person event', () => {
  it('has the venue’s address, directions and the interest toggle', async () => {
    server.use(
      http.put('/api/events/:id/interest', () =>
        HttpResponse.json({ count: 4, hasInterest: true }),
      ),
    )
    const { user, page } = await show(anInPersonEvent())
    expect(page.getByText('4400 North 64th Street')).toBeVisible()
    expect(page.getByText('Open in Maps')).toBeVisible()
    expect(page.queryByRole('link', { name: /^Register Now/ })).not.toBeInTheDocument()
    expect(await page.findByText(/attending/)).toHaveTextContent('3 investors attending')

    await user.click(page.getByRole('button', { name: 'Planning to Attend' }))
    expect(await page.findByRole('button', { name: "Can't Attend" })).toBeEnabled()
    expect(page.getByText(/attending/)).toHaveTextContent('4 investors attending')
  })

  it('has neither directions nor a venue without a location', async () => {
    const { page } = await show(anInPersonEvent({ location: null }))
    expect(page.queryByText('Open in Maps')).not.toBeInTheDocument()
    expect(page.queryByText('Where')).not.toBeInTheDocument()
    expect(page.getByRole('button', { name: 'Planning to Attend' })).toBeVisible()
  })
})

describe('the page of a past event', () => {
  it('states that a webinar is over and keeps its link', async () => {
    const { page } = await show(anEvent(past))
    expect(page.getByText('This event is over. The link may lead to a recording.')).toBeVisible()
    expect(page.getByRole('link', { name: /^Register Now/ })).toBeVisible()
    expect(page.queryByRole('link', { name: 'Add to Calendar' })).not.toBeInTheDocument()
    expect(page.getByRole('button', { name: 'Share' })).toBeVisible()
  })

  it('states that an in-person event is over and disables its button', async () => {
    const { page } = await show(anInPersonEvent(past))
    // Once: the button refers to it.
    expect(page.getByText(/This event is over/)).toBeVisible()
    const button = page.getByRole('button', { name: 'Planning to Attend' })
    expect(button).toBeDisabled()
    expect(button).toHaveAccessibleDescription('This event is over.')
    expect(page.queryByRole('link', { name: 'Add to Calendar' })).not.toBeInTheDocument()
  })
})

describe('the attendance page', () => {
  it('shows what the server knows of the visitor, and why a change was rejected', async () => {
    const event = anInPersonEvent()
    server.use(http.get('/api/events/:id/interest', () => delay('infinite')))
    renderSite(`${event.path}/attendance`, {
      event,
      interest: { count: 4, hasInterest: true, problem: 'Too many attempts.' },
    })
    const page = within(await screen.findByRole('article', { name: event.title }))
    expect(page.getByRole('alert')).toHaveTextContent('Too many attempts.')
    expect(page.getByRole('button', { name: "Can't Attend" })).toBeEnabled()
    expect(page.getByText(/attending/)).toHaveTextContent('4 investors attending')
  })

  it('says once that the event is over', async () => {
    const event = anInPersonEvent(past)
    server.use(http.get('/api/events/:id/interest', () => delay('infinite')))
    renderSite(`${event.path}/attendance`, {
      event,
      interest: { count: 4, hasInterest: false, problem: 'This event is over' },
    })
    const page = within(await screen.findByRole('article', { name: event.title }))
    expect(page.getByText(/This event is over/)).toBeVisible()
    expect(page.getByRole('button', { name: 'Planning to Attend' })).toBeDisabled()
  })
})

describe('an event that is not in the page’s data', () => {
  const event = online()

  afterEach(() => {
    onlineManager.setOnline(true)
  })

  it('is fetched', async () => {
    const { released, release } = holdResponse()
    server.use(
      http.get('/api/events', async () => {
        await released
        return HttpResponse.json([event])
      }),
    )
    renderSite(event.path)
    expect(await screen.findByText('Loading the event...')).toBeInTheDocument()
    release()
    expect(await screen.findByRole('heading', { level: 1, name: 'Rent rolls' })).toBeVisible()
  })

  it.each(['/events/999999-gone', '/events/rent-rolls', '/events/12x'])(
    'is not found at an unknown path: %s',
    async (path) => {
      serve([event])
      renderSite(path)
      expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
      expect(document.title).toMatch(/^Page not found/)
    },
  )

  it('is fetched again after a failure', async () => {
    server.use(http.get('/api/events', () => new HttpResponse(null, { status: 500 })))
    const { user } = renderSite(event.path)
    expect(await screen.findByText('Unable to load events')).toBeVisible()
    expect(screen.queryByText('Page not found')).not.toBeInTheDocument()
    serve([event])
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Rent rolls' })).toBeVisible()
    expect(screen.getByRole('main')).toHaveFocus()
  })

  it('is fetched when the connection is back', async () => {
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

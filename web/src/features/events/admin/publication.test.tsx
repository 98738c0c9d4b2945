import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { anEvent, anInPersonEvent } from '../../../testing/factories'
import {
  anEventServer,
  button,
  fill,
  fillNew,
  openTab,
  siteUrl,
  startNew,
} from '../../../testing/events-tab'
import { server } from '../../../testing/session'

describe('the status of an event', () => {
  it.each(['Cards', 'Table'])('shows the time of a draft without a date in %s', async (view) => {
    anEventServer([
      anEvent({ title: 'Idea', status: 'draft', date: '', time: '14:30', startsAt: '' }),
    ])
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: view }))
    expect(screen.getByText(/2:30 PM ET/)).toBeVisible()
  })

  it('saves a draft with nothing but a title', async () => {
    const { sent } = anEventServer([])
    const { user } = openTab()
    await startNew(user)
    await fill(user, 'Title', 'An idea')
    await user.selectOptions(screen.getByLabelText('Status'), 'Draft')
    await user.click(button('Create Event'))
    expect(await screen.findByText('Event created successfully')).toBeVisible()
    expect(sent[0]?.event).toMatchObject({ title: 'An idea', status: 'draft', summary: '' })
  })

  it('stays as chosen if saving a draft fails', async () => {
    const { sent } = anEventServer([])
    server.use(http.post('/api/events', () => HttpResponse.error(), { once: true }))
    const { user } = openTab()
    await fillNew(user, 'An idea')
    await user.type(screen.getByRole('combobox', { name: 'Add a speaker or host' }), 'ada{Enter}')
    await user.click(button('Save Draft'))
    expect(await screen.findByText(/The server could not be reached/)).toBeVisible()
    expect(screen.getByLabelText('Status')).toHaveValue('published')
    await user.click(button('Create Event'))
    expect(await screen.findByText('Event created successfully')).toBeVisible()
    expect(sent.at(-1)?.event).toMatchObject({ title: 'An idea', status: 'published' })
  })

  it('requires of a draft only its title, and the rest once it is published', async () => {
    anEventServer([])
    const { user } = openTab()
    await startNew(user)
    await user.click(button('Save Draft'))
    expect(screen.getByText('Title is required')).toBeVisible()
    expect(screen.queryByText('Summary is required')).not.toBeInTheDocument()
    await user.click(button('Create Event'))
    expect(screen.getByText('Summary is required')).toBeVisible()
  })

  it('publishes a new event unless another status is chosen', async () => {
    anEventServer([])
    const { user } = openTab()
    await startNew(user)
    expect(screen.getByLabelText('Status')).toHaveValue('published')
    expect(screen.queryByLabelText('Publish at')).not.toBeInTheDocument()
  })

  it('sends the publication time in the zone of the event as an instant', async () => {
    const { sent } = anEventServer([anEvent({ title: 'Later', timezone: 'America/Denver' })])
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Later' }))
    await user.selectOptions(screen.getByLabelText('Status'), 'Scheduled')
    await user.click(button('Update Event'))
    expect(await screen.findByText('Publication date and time are required')).toBeVisible()
    expect(screen.getByText('In the event’s time zone (MT).')).toBeVisible()
    await fill(user, 'Publish at', '2099-01-02T09:00')
    await fill(user, /^Summary/, 'One deal.')
    await user.click(button('Update Event'))
    expect(await screen.findByText('Event updated successfully')).toBeVisible()
    expect(sent[0]?.event).toMatchObject({
      status: 'scheduled',
      publishAt: '2099-01-02T16:00:00.000Z',
    })
  })

  it('is on the card of each event that is not published, and in the filter', async () => {
    anEventServer([
      anEvent({ title: 'Off', status: 'cancelled' }),
      anEvent({ title: 'As usual' }),
      anEvent({ title: 'Idea', status: 'draft', date: '', time: '', startsAt: '' }),
      anEvent({ title: 'Soon', status: 'scheduled', publishAt: '2099-01-02T14:00:00Z' }),
    ])
    const { user } = openTab()
    const card = (name: string) => within(screen.getByRole('article', { name }))
    expect(await screen.findByText('Scheduled: visible from Jan 2, 2099, 9:00 AM ET')).toBeVisible()
    expect(card('Idea').getByText('Draft')).toBeVisible()
    expect(card('Idea').getByText(/No date yet/)).toBeVisible()
    expect(card('Off').getByText('Cancelled')).toBeVisible()
    expect(card('As usual').queryByText('Published')).not.toBeInTheDocument()
    const show = screen.getByLabelText('Show')
    const options = within(show)
      .getAllByRole('option')
      .map((option) => option.textContent)
    expect(options).toEqual(['All events', 'Upcoming', 'Past', 'Drafts', 'Scheduled', 'Cancelled'])
    await user.selectOptions(show, 'Drafts')
    expect(screen.getAllByRole('article')).toHaveLength(1)
  })

  it('offers the preview of an event that visitors do not see', async () => {
    anEventServer([anEvent({ title: 'Seen' }), anEvent({ title: 'Unseen', status: 'draft' })])
    server.use(
      http.get('/api/events/:id/activity', () => HttpResponse.json([])),
      http.post('/api/events/:id/preview-link', () =>
        HttpResponse.json({ path: '/events/2-unseen?preview=secret' }),
      ),
      http.delete('/api/events/:id/preview-link', () => new HttpResponse(null, { status: 204 })),
    )
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Unseen' }))
    await user.click(button('Get Preview Link'))
    const field = await screen.findByLabelText('Preview link')
    expect(field).toHaveValue(`${siteUrl}/events/2-unseen?preview=secret`)
    expect(field).toHaveFocus()
    await user.click(button('End This Link'))
    expect(await screen.findByText('The preview link no longer works')).toBeVisible()
    await user.click(button('Cancel'))
    await user.click(button('Edit Seen'))
    expect(screen.queryByRole('button', { name: 'Get Preview Link' })).not.toBeInTheDocument()
  })
})

describe('the attendance', () => {
  it('is on the card of an in-person event, and its history in the form', async () => {
    const walk = anInPersonEvent({ title: 'Walk' })
    anEventServer([walk, anEvent({ title: 'Webinar' })])
    const days = [
      { day: '2026-01-02', count: 3 },
      { day: '2026-01-05', count: 1 },
    ]
    server.use(
      http.get('/api/attendance', () => HttpResponse.json([{ eventId: walk.id, count: 1 }])),
      http.get('/api/events/:id/attendance', () => HttpResponse.json(days)),
      http.get('/api/events/:id/activity', () => HttpResponse.json([])),
    )
    const { user } = openTab()
    expect(await screen.findByText('1 investor attending')).toBeVisible()
    const webinar = within(screen.getByRole('article', { name: 'Webinar' }))
    expect(webinar.queryByText(/attending/)).not.toBeInTheDocument()
    await user.click(button('Edit Walk'))
    const table = await screen.findByRole('table', { name: 'Attendance by day' })
    const rows = within(table)
      .getAllByRole('row')
      .map((row) => row.textContent)
    expect(rows).toEqual(['DayAttending', 'Jan 2, 20263', 'Jan 5, 20261'])
  })
})

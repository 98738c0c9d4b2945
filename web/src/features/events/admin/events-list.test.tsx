import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import type { SaveEvent } from '../../../api/types'
import { anEvent } from '../../../testing/factories'
import { holdResponse, server } from '../../../testing/session'
import { anEventServer, many, openTab, button, titles } from '../../../testing/events-tab'

describe('the list', () => {
  it('shows six events a page', async () => {
    anEventServer(many(8))
    const { user } = openTab()
    expect(await screen.findByText('Page 1 of 2')).toBeVisible()
    expect(titles()).toHaveLength(6)
    expect(button('Previous page')).toHaveAttribute('aria-disabled', 'true')
    await user.click(button('Next page'))
    expect(screen.getByText('Page 2 of 2')).toBeVisible()
    expect(titles()).toEqual(['Event 7', 'Event 8'])
  })

  it('filters by text and shows the number of matches', async () => {
    anEventServer(many(8))
    const { user } = openTab()
    await user.type(await screen.findByLabelText('Find'), 'event 8')
    expect(titles()).toEqual(['Event 8'])
    expect(screen.getByText('1 event found')).toBeVisible()
    await user.type(screen.getByLabelText('Find'), 'xyz')
    expect(screen.getByText('No events match.')).toBeVisible()
    await user.click(button('Show All Events'))
    expect(titles()).toHaveLength(6)
  })

  it('marks synced events and those that visitors do not see', async () => {
    anEventServer([
      anEvent({ title: 'Synced', brandliveId: 'b1' }),
      anEvent({ title: 'Gone', brandliveId: 'b2', status: 'hidden' }),
    ])
    openTab()
    const gone = await screen.findByRole('article', { name: 'Gone' })
    expect(within(gone).getByText('Hidden')).toBeVisible()
    const synced = screen.getByRole('article', { name: 'Synced' })
    expect(within(synced).getByText('Brandlive')).toBeVisible()
  })

  it('shows an empty state without events', async () => {
    anEventServer([])
    openTab()
    expect(
      await screen.findByText('No events found. Create your first event to get started.'),
    ).toBeVisible()
  })

  it('shows a loading error and retries', async () => {
    anEventServer(many(1))
    server.use(
      http.get('/api/events/portal', () => new HttpResponse(null, { status: 500 }), { once: true }),
    )
    const { user } = openTab()
    expect(await screen.findByText('Unable to load events')).toBeVisible()
    await user.click(button('Try Again'))
    expect(await screen.findByRole('heading', { name: 'Event 1' })).toBeVisible()
  })

  it('lists the items that could not be synced', async () => {
    anEventServer([])
    const failed = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, reason: 'it has no title' }))
    server.use(
      http.post('/api/sync-brandlive', () =>
        HttpResponse.json({
          message: '0 created, 6 failed',
          failed,
          pendingRemovals: [],
          problem: null,
          notes: [],
        }),
      ),
    )
    const { user } = openTab()
    await user.click(button('Sync Brandlive Events'))
    const text = '0 created, 6 failed. Not synced: a, b, c, d, e, 1 more'
    const toast = await screen.findByText(text)
    expect(toast.closest('[role="alert"]')).toBeVisible()
  })

  it('asks for confirmation before it hides many events', async () => {
    anEventServer([])
    const bodies: unknown[] = []
    server.use(
      http.post('/api/sync-brandlive', async ({ request }) => {
        const body = (await request.json()) as { acceptRemovals: boolean }
        bodies.push(body)
        const pendingRemovals = body.acceptRemovals ? [] : [{ id: 'a', title: 'Rent rolls' }]
        const notes = ['Hiding 1 of 1 is implausible']
        return HttpResponse.json({
          message: '0 created',
          failed: [],
          pendingRemovals,
          problem: null,
          notes,
        })
      }),
    )
    const { user } = openTab()
    await user.click(button('Sync Brandlive Events'))
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirm Removals' })
    expect(within(dialog).getByText('Rent rolls')).toBeVisible()
    expect(screen.getByText('0 created')).toBeVisible()
    await user.click(within(dialog).getByRole('button', { name: 'Hide Events' }))
    await waitFor(() => {
      expect(screen.queryByRole('alertdialog')).toBeNull()
    })
    expect(bodies).toEqual([{ acceptRemovals: false }, { acceptRemovals: true }])
  })

  it('asks for confirmation when the list of the provider is empty', async () => {
    anEventServer([])
    const problem = 'Brandlive lists no events at all'
    server.use(
      http.post('/api/sync-brandlive', async ({ request }) => {
        const { acceptRemovals } = (await request.json()) as { acceptRemovals: boolean }
        return HttpResponse.json(
          acceptRemovals
            ? { message: '1 hidden', failed: [], pendingRemovals: [], problem: null, notes: [] }
            : {
                message: '0 created',
                failed: [],
                pendingRemovals: [{ id: 'a', title: 'Rent rolls' }],
                problem,
                notes: [],
              },
        )
      }),
    )
    const { user } = openTab()
    await user.click(button('Sync Brandlive Events'))
    const toast = await screen.findByText(`0 created. ${problem}`)
    expect(toast.closest('[role="alert"]')).toBeVisible()
    const dialog = screen.getByRole('alertdialog', { name: 'Confirm Removals' })
    expect(within(dialog).getByText('Rent rolls')).toBeVisible()
    await user.click(within(dialog).getByRole('button', { name: 'Hide Events' }))
    expect(await screen.findByText('1 hidden')).toBeVisible()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('reports the progress and the result of a sync', async () => {
    anEventServer([])
    const { released, release } = holdResponse()
    server.use(
      http.post('/api/sync-brandlive', async () => {
        await released
        return HttpResponse.json({
          message: '2 created, 1 updated',
          failed: [],
          pendingRemovals: [],
          problem: null,
          notes: [
            'The list is incomplete, because this sync reached its request limit; the next sync continues it',
          ],
        })
      }),
    )
    const { user } = openTab()
    await user.click(button('Sync Brandlive Events'))
    expect(button('Syncing Brandlive Events...')).toHaveAttribute('aria-disabled', 'true')
    release()
    const text =
      '2 created, 1 updated. The list is incomplete, because this sync reached its request limit; the next sync continues it'
    expect(await screen.findByText(text)).toBeVisible()
    server.use(
      http.post('/api/sync-brandlive', () =>
        HttpResponse.json({ error: 'Another sync is running' }, { status: 409 }),
      ),
    )
    await user.click(await screen.findByRole('button', { name: 'Sync Brandlive Events' }))
    await waitFor(() => {
      expect(screen.getByText('Another sync is running').closest('[role="alert"]')).toBeVisible()
    })
  })
})

it.each(['999999', 'abc'])('a link to the unknown event %s says so, above the list', async (id) => {
  anEventServer(many(1))
  server.use(
    http.get(`/api/events/${id}`, () =>
      HttpResponse.json({ error: 'Event not found' }, { status: 404 }),
    ),
  )
  openTab(1, `/admin?event=${id}`)
  expect(await screen.findByText('The event of this link is not there')).toBeVisible()
  expect(await screen.findByRole('article', { name: 'Event 1' })).toBeVisible()
})

describe('saving an event of a filtered list', () => {
  const drafts = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      anEvent({
        title: `Draft ${index + 1}`,
        summary: 'One deal.',
        status: 'draft',
        startsAt: `2099-02-0${index + 1}T23:00:00Z`,
      }),
    )
  const message = 'Event updated successfully. It no longer matches the filter.'

  async function publish(user: ReturnType<typeof openTab>['user'], title: string) {
    await user.click(await screen.findByRole('button', { name: `Edit ${title}` }))
    await user.selectOptions(await screen.findByLabelText('Status'), 'Published')
    await user.click(button('Update Event'))
  }

  it('retains the filter, and says so if the event no longer matches it', async () => {
    anEventServer([...many(8), ...drafts(3)])
    const { user } = openTab(1, '/?when=draft&sort=title')
    await publish(user, 'Draft 2')
    expect(await screen.findByText(message)).toBeVisible()
    // The next one to work on.
    await waitFor(() => {
      expect(screen.getByRole('heading', { name: 'Draft 3' })).toHaveFocus()
    })
    expect(titles()).toEqual(['Draft 1', 'Draft 3'])
    expect(screen.getByLabelText('Show')).toHaveValue('draft')
    expect(screen.getByLabelText('Sort by')).toHaveValue('title')
  })

  it('retains the page', async () => {
    anEventServer([...many(8), ...drafts(9)])
    const { user } = openTab(1, '/?when=draft&page=2')
    await publish(user, 'Draft 7')
    await waitFor(() => {
      expect(screen.getByRole('heading', { name: 'Draft 8' })).toHaveFocus()
    })
    expect(titles()).toEqual(['Draft 8', 'Draft 9'])
    expect(screen.getByText('Page 2 of 2')).toBeVisible()
  })

  it('focuses the heading after the last one', async () => {
    anEventServer([...many(8), ...drafts(1)])
    const { user } = openTab(1, '/?when=draft')
    await publish(user, 'Draft 1')
    expect(await screen.findByText(message)).toBeVisible()
    expect(await screen.findByText('No events match.')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Events' })).toHaveFocus()
  })

  it('says nothing about the filter if the event still matches it', async () => {
    anEventServer([...many(8), ...drafts(3)])
    const { user } = openTab(1, '/?when=draft')
    await user.click(await screen.findByRole('button', { name: 'Edit Draft 2' }))
    await user.click(await screen.findByRole('button', { name: 'Update Event' }))
    await waitFor(() => {
      expect(screen.getByRole('heading', { name: 'Draft 2' })).toHaveFocus()
    })
    expect(screen.getByText('Event updated successfully')).toBeVisible()
    expect(titles()).toEqual(['Draft 1', 'Draft 2', 'Draft 3'])
  })
})

describe('deleting', () => {
  it('asks for confirmation and can be undone', async () => {
    const { stored } = anEventServer(many(2))
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Delete Event 1' }))
    const dialog = screen.getByRole('alertdialog', { name: 'Delete Event' })
    expect(dialog).toHaveTextContent(
      'Are you sure you want to delete "Event 1"? This action cannot be undone.',
    )
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Event deleted successfully')).toBeVisible()
    expect(titles()).toEqual(['Event 2'])
    await waitFor(() => {
      expect(screen.getByRole('heading', { name: 'Event 2' })).toHaveFocus()
    })
    expect(stored.size).toBe(1)

    await user.click(button('Undo'))
    expect(await screen.findByRole('heading', { name: 'Event 1' })).toBeVisible()
    expect(stored.size).toBe(2)
  })
})

describe('duplicating', () => {
  const openDialog = async (user: ReturnType<typeof openTab>['user'], title: string) => {
    await user.click(await screen.findByRole('button', { name: `Duplicate ${title}` }))
    return within(screen.getByRole('dialog', { name: 'Duplicate Event' }))
  }
  /** Accepts or rejects several copies; returns the bodies that it received. */
  const aRepeatServer = () => {
    const sent: (SaveEvent & { dates: string[] })[] = []
    server.use(
      http.post('/api/events/repeats', async ({ request }) => {
        const body = (await request.json()) as SaveEvent & { dates: string[] }
        sent.push(body)
        if (sent.length === 1) {
          const error = 'The storage is full'
          return HttpResponse.json({ error }, { status: 503 })
        }
        const events = body.dates.map((date) => anEvent({ title: 'Weekly', date }))
        return HttpResponse.json({ id: 3, undoUntil: '', events }, { status: 201 })
      }),
    )
    return sent
  }

  it('creates an event for each date or none, and undoes all of them at once', async () => {
    anEventServer([anEvent({ title: 'Weekly', date: '2099-03-10' })])
    const sent = aRepeatServer()
    const { user } = openTab()
    const dialog = await openDialog(user, 'Weekly')
    expect(dialog.getByLabelText('Date')).toHaveValue('2099-03-17')
    await user.click(dialog.getByRole('button', { name: 'Add Another Week' }))
    expect(dialog.getByLabelText('Date 2')).toHaveValue('2099-03-24')
    await user.click(dialog.getByRole('button', { name: 'Create 2 Events' }))

    expect(await dialog.findByText('The storage is full')).toBeVisible()
    // The server may have created them all the same.
    expect(
      dialog.getByText('Try again with the same dates: no event is created twice.'),
    ).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Create 2 Events' }))
    expect(await screen.findByText('2 events created successfully')).toBeVisible()
    expect(sent.at(-1)?.dates).toEqual(['2099-03-17', '2099-03-24'])
    expect(button('Undo')).toBeVisible()
  })

  it.each(['hidden', 'scheduled', 'draft', 'cancelled'] as const)(
    'creates a draft from an event that is %s unless another status is chosen',
    async (status) => {
      const publishAt = status === 'scheduled' ? { publishAt: '2098-01-01T00:00:00Z' } : {}
      const { sent } = anEventServer([anEvent({ title: 'Quiet', status, ...publishAt })])
      const { user } = openTab()
      const dialog = await openDialog(user, 'Quiet')
      expect(dialog.getByLabelText('Status of the copies')).toHaveDisplayValue('Draft')
      await user.click(dialog.getByRole('button', { name: 'Create Event' }))
      expect(await screen.findByText('Event created successfully')).toBeVisible()
      expect(sent[0]?.event?.status).toBe('draft')
    },
  )

  it('says what to do if the event is too incomplete for published copies', async () => {
    const { sent } = anEventServer([anEvent({ title: 'Idea', status: 'draft' })])
    server.use(
      http.post('/api/events', async ({ request }) => {
        const { event } = (await request.clone().json()) as SaveEvent
        if (event?.status === 'draft') return undefined
        const error = 'Summary is required'
        return HttpResponse.json({ error, fields: { summary: error } }, { status: 400 })
      }),
    )
    const { user } = openTab()
    const dialog = await openDialog(user, 'Idea')
    const status = dialog.getByLabelText('Status of the copies')
    await user.selectOptions(status, 'Published')
    await user.click(dialog.getByRole('button', { name: 'Create Event' }))
    expect(await dialog.findByText('Summary is required')).toBeVisible()
    expect(dialog.getByText(/choose Draft as the status of the copies/)).toBeVisible()
    await user.selectOptions(status, 'Draft')
    await user.click(dialog.getByRole('button', { name: 'Create Event' }))
    expect(await screen.findByText('Event created successfully')).toBeVisible()
    expect(sent[0]?.event?.status).toBe('draft')
  })

  it('publishes the copy of a published event, unless I want a draft', async () => {
    const { sent } = anEventServer([anEvent({ title: 'Weekly', date: '2099-03-10' })])
    const { user } = openTab()
    const dialog = await openDialog(user, 'Weekly')
    const status = dialog.getByLabelText('Status of the copies')
    expect(status).toHaveDisplayValue('Published')
    await user.selectOptions(status, 'Draft')
    await user.click(dialog.getByRole('button', { name: 'Create Event' }))
    expect(await screen.findByText('Event created successfully')).toBeVisible()
    expect(sent[0]?.event?.status).toBe('draft')
  })
})

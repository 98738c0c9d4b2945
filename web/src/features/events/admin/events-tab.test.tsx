import { screen, waitFor, within } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import type { CalendarEvent, SaveEvent, Speaker } from '../../../api/types'
import { anEvent, anInPersonEvent } from '../../../testing/factories'
import { renderPart } from '../../../testing/render'
import { server } from '../../../testing/server'
import { EventsTab } from './events-tab'

const siteUrl = 'https://events.example.com'

const speaker = (id: number, name: string): Speaker => ({
  id,
  name,
  title: 'Partner',
  bio: null,
  imageUrl: null,
  type: 'Guest',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
})
const speakers = [speaker(901, 'Ada Okafor'), speaker(902, 'Ben Tal'), speaker(903, 'Chi Roy')]

/** A server that keeps events, and what was sent to it. */
function anEventServer(events: CalendarEvent[], hidden: CalendarEvent[] = []) {
  const kept = new Map(events.map((event) => [event.id, event]))
  const sent: SaveEvent[] = []
  const save = async (request: Request, known: CalendarEvent) => {
    const body = (await request.json()) as SaveEvent
    sent.push(body)
    const saved = {
      ...known,
      ...(body.event as Partial<CalendarEvent>),
      revision: known.revision + 1,
      speakers: (body.speakerIds ?? []).flatMap((id) => {
        const one = speakers.find((candidate) => candidate.id === id)
        return one ? [{ speakerId: id, speaker: one }] : []
      }),
    }
    kept.set(saved.id, saved)
    return saved
  }
  server.use(
    http.get('/api/events', () => HttpResponse.json([...kept.values()])),
    http.get('/api/events/hidden', () => HttpResponse.json(hidden)),
    http.post('/api/events', async ({ request }) =>
      HttpResponse.json(await save(request, anEvent()), { status: 201 }),
    ),
    http.put('/api/events/:id', async ({ request, params }) => {
      const known = kept.get(Number(params.id))
      return known
        ? HttpResponse.json(await save(request, known))
        : HttpResponse.json({ error: 'Event not found' }, { status: 404 })
    }),
    http.delete('/api/events/:id', ({ params }) => {
      kept.delete(Number(params.id))
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('/api/events/:id/restore', ({ params }) => {
      const event = events.find(({ id }) => id === Number(params.id))
      if (!event) return HttpResponse.json({ error: 'Event not found' }, { status: 404 })
      kept.set(event.id, event)
      return HttpResponse.json(event)
    }),
  )
  return { kept, sent }
}

function openTab() {
  return renderPart(
    <main>
      <EventsTab
        siteUrl={siteUrl}
        speakers={{ all: speakers, hasFailed: false, retry: () => undefined }}
      />
    </main>,
  )
}

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    anEvent({
      title: `Event ${index + 1}`,
      startsAt: new Date(Date.UTC(2099, 0, index + 1)).toISOString(),
    }),
  )
const titles = () => screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)
const press = (name: string | RegExp) => screen.getByRole('button', { name })

/** Opens the form for a new event. */
async function startNew(user: ReturnType<typeof openTab>['user']) {
  const [button] = await screen.findAllByRole('button', { name: 'Create New Event' })
  if (button) await user.click(button)
}

/** Puts a text into a field in place of what it holds; as pasting, which is one step. */
async function fill(
  user: ReturnType<typeof openTab>['user'],
  label: string | RegExp,
  text: string,
) {
  await user.clear(screen.getByLabelText(label))
  await user.paste(text)
}

describe('the list', () => {
  it('shows six events a page', async () => {
    anEventServer(many(8))
    const { user } = openTab()
    expect(await screen.findByText('Page 1 of 2')).toBeVisible()
    expect(titles()).toHaveLength(6)
    expect(press('Previous page')).toHaveAttribute('aria-disabled', 'true')
    await user.click(press('Next page'))
    expect(screen.getByText('Page 2 of 2')).toBeVisible()
    expect(titles()).toEqual(['Event 7', 'Event 8'])
  })

  it('finds by words and says how many there are', async () => {
    anEventServer(many(8))
    const { user } = openTab()
    await user.type(await screen.findByLabelText('Find'), 'event 8')
    expect(titles()).toEqual(['Event 8'])
    expect(screen.getByText('1 event found')).toBeVisible()
    await user.type(screen.getByLabelText('Find'), 'xyz')
    expect(screen.getByText('No events match.')).toBeVisible()
    await user.click(press('Show All Events'))
    expect(titles()).toHaveLength(6)
  })

  it('flags what Brandlive no longer lists, and what came from it', async () => {
    anEventServer(
      [anEvent({ title: 'Imported', brandliveId: 'b1' })],
      [anEvent({ title: 'Gone', brandliveId: 'b2' })],
    )
    openTab()
    const gone = await screen.findByRole('article', { name: 'Gone' })
    expect(within(gone).getByText('Hidden: no longer listed by Brandlive')).toBeVisible()
    const imported = screen.getByRole('article', { name: 'Imported' })
    expect(within(imported).getByText('Brandlive')).toBeVisible()
  })

  it('says that there are none', async () => {
    anEventServer([])
    openTab()
    expect(
      await screen.findByText('No events found. Create your first event to get started.'),
    ).toBeVisible()
  })

  it('says that it could not be loaded and tries again', async () => {
    anEventServer(many(1))
    server.use(
      http.get('/api/events', () => new HttpResponse(null, { status: 500 }), { once: true }),
    )
    const { user } = openTab()
    expect(await screen.findByText('Unable to load events')).toBeVisible()
    await user.click(press('Try Again'))
    expect(await screen.findByRole('heading', { name: 'Event 1' })).toBeVisible()
  })

  it('tells of the sync and of its result', async () => {
    anEventServer([])
    server.use(
      http.post('/api/sync-brandlive', async () => {
        await delay(30)
        return HttpResponse.json({ message: '2 created, 1 updated' })
      }),
    )
    const { user } = openTab()
    await user.click(press('Sync Brandlive Events'))
    expect(press('Syncing Brandlive Events...')).toHaveAttribute('aria-disabled', 'true')
    expect(await screen.findByText('2 created, 1 updated')).toBeVisible()
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

describe('deleting', () => {
  it('asks first, and can be undone', async () => {
    const { kept } = anEventServer(many(2))
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
    expect(kept.size).toBe(1)

    await user.click(press('Undo'))
    expect(await screen.findByRole('heading', { name: 'Event 1' })).toBeVisible()
    expect(kept.size).toBe(2)
  })
})

describe('the form', () => {
  it('says at each field what is missing, and goes to the first', async () => {
    const { sent } = anEventServer([])
    const { user } = openTab()
    await startNew(user)
    expect(screen.queryByRole('button', { name: 'Create New Event' })).not.toBeInTheDocument()
    await user.click(press('Create Event'))
    for (const words of [
      'Title is required',
      'Summary is required',
      'Description is required',
      'Registration URL is required',
      'At least one speaker must be selected',
    ]) {
      expect(screen.getByText(words)).toBeVisible()
    }
    expect(screen.getByLabelText('Title')).toHaveFocus()
    expect(sent).toEqual([])

    await user.keyboard('Rent rolls')
    expect(screen.queryByText('Title is required')).not.toBeInTheDocument()
  })

  it('creates an online event with its speakers in order', async () => {
    const { sent } = anEventServer([])
    const { user } = openTab()
    await startNew(user)
    await fill(user, 'Title', 'Rent rolls')
    await fill(user, 'Summary', 'One deal.')
    await fill(user, 'Description', 'Line by line.')
    await fill(user, 'Registration URL', 'https://example.com/r')
    const combobox = screen.getByRole('combobox', { name: 'Add a speaker or host' })
    await user.type(combobox, 'okaf{Enter}')
    await user.type(combobox, '{ArrowDown}{ArrowDown}{Enter}')
    const tokens = within(screen.getByRole('list', { name: 'Chosen speakers' }))
    expect(tokens.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      'AOAda Okafor',
      'CRChi Roy',
    ])
    await user.click(press('Move Chi Roy earlier'))
    expect(press('Move Chi Roy earlier')).toHaveFocus()
    await user.click(press('Create Event'))

    expect(await screen.findByText('Event created successfully')).toBeVisible()
    expect(sent[0]).toMatchObject({
      event: { title: 'Rent rolls', type: 'Investor Insights', duration: '60 minutes' },
      speakerIds: [903, 901],
    })
    expect(sent[0]?.location).toBeUndefined()
    await waitFor(() => {
      expect(screen.getByRole('heading', { name: 'Rent rolls' })).toHaveFocus()
    })
  })

  it('keeps what was typed when the type changes, and sends the site for no registration', async () => {
    const { sent } = anEventServer([anInPersonEvent({ title: 'Walk' })])
    server.use(http.get('/api/events/:id/activity', () => HttpResponse.json([])))
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Walk' }))
    const type = screen.getByLabelText('Event type')
    await fill(user, /^City/, 'Tempe')
    await user.selectOptions(type, 'Special')
    expect(screen.queryByLabelText(/^City/)).not.toBeInTheDocument()
    await user.clear(screen.getByLabelText('Registration URL'))
    await user.selectOptions(type, 'In-Person Events')
    expect(screen.getByLabelText(/^City/)).toHaveValue('Tempe')
    await fill(user, 'Summary', 'A walk.')
    await user.click(press('Update Event'))
    expect(await screen.findByText('Event updated successfully')).toBeVisible()
    expect(sent[0]).toMatchObject({
      revision: 1,
      event: { registrationUrl: siteUrl },
      location: { city: 'Tempe' },
    })
  })

  it('shows what the server refuses at the field, and loses nothing', async () => {
    anEventServer([anEvent({ title: 'Old', summary: 'Short.' })])
    server.use(
      http.put('/api/events/:id', () =>
        HttpResponse.json(
          {
            error: 'A selected speaker no longer exists',
            fields: { speakerIds: 'A selected speaker no longer exists' },
          },
          { status: 400 },
        ),
      ),
    )
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Old' }))
    await user.type(screen.getByLabelText('Title'), 'er')
    await user.click(press('Update Event'))
    await waitFor(() => {
      expect(screen.getAllByText('A selected speaker no longer exists')).toHaveLength(2)
    })
    expect(screen.getByRole('combobox', { name: /speaker/ })).toHaveFocus()
    expect(screen.getByLabelText('Title')).toHaveValue('Older')
  })

  it('shows both versions when somebody else was faster, and saves the chosen one', async () => {
    const mine = anEvent({ title: 'Old', summary: 'Short.', description: 'Long.' })
    const { sent } = anEventServer([mine])
    const theirs = { ...mine, title: 'Theirs', summary: 'Their summary.', revision: 7 }
    server.use(
      http.put(
        '/api/events/:id',
        () =>
          HttpResponse.json(
            {
              error: 'Somebody else changed this event while you were editing it',
              current: theirs,
            },
            { status: 409 },
          ),
        { once: true },
      ),
      http.get('/api/events/:id/activity', () =>
        HttpResponse.json([
          {
            id: 1,
            at: '2026-01-01T10:00:00Z',
            who: 'bob@example.com',
            action: 'changed',
            changes: [],
          },
        ]),
      ),
    )
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Old' }))
    await fill(user, 'Title', 'Mine')
    await user.click(press('Update Event'))

    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByText(/bob@example.com saved it/)).toBeVisible()
    const titleChoice = within(dialog).getByRole('group', { name: 'Title' })
    expect(within(titleChoice).getByLabelText(/^Yours/)).toBeChecked()
    const summaryChoice = within(dialog).getByRole('group', { name: 'Summary' })
    expect(within(summaryChoice).getByLabelText(/^Theirs/)).toBeChecked()
    await user.click(within(dialog).getByRole('button', { name: 'Save This Version' }))
    expect(await screen.findByText('Event updated successfully')).toBeVisible()
    expect(sent[0]).toMatchObject({
      revision: 7,
      event: { title: 'Mine', summary: 'Their summary.', description: 'Long.' },
    })
  })

  it('keeps the odd duration of an import in view', async () => {
    anEventServer([anEvent({ title: 'Odd', duration: '50 minutes' })])
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Odd' }))
    expect(screen.getByLabelText('Duration')).toHaveValue('50 minutes')
    expect(within(screen.getByLabelText('Duration')).getAllByRole('option')).toHaveLength(13)
  })

  it('puts back what Brandlive says', async () => {
    anEventServer([anEvent({ title: 'Changed here', brandliveId: 'b1' })])
    server.use(
      http.get('/api/events/:id/import', () =>
        HttpResponse.json({
          hiddenSince: null,
          fields: [
            { field: 'title', imported: 'From Brandlive', isLocal: true },
            { field: 'date', imported: '2099-03-10', isLocal: false },
          ],
        }),
      ),
    )
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Changed here' }))
    expect(await screen.findByText('Brandlive says: From Brandlive')).toBeVisible()
    await user.click(press('Reset to Brandlive: Title'))
    expect(screen.getByLabelText('Title')).toHaveValue('From Brandlive')
    expect(screen.getByText('Follows Brandlive again once you save.')).toBeVisible()
  })
})

describe('duplicating', () => {
  it('makes an event for each date, and keeps the dates that fail', async () => {
    const { sent } = anEventServer([anEvent({ title: 'Weekly', date: '2099-03-10' })])
    server.use(
      http.post(
        '/api/events',
        () => HttpResponse.json({ error: 'The storage is full' }, { status: 503 }),
        { once: true },
      ),
    )
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Duplicate Weekly' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Duplicate Event' }))
    expect(dialog.getByLabelText('Date')).toHaveValue('2099-03-17')
    await user.click(dialog.getByRole('button', { name: 'Add Another Week' }))
    expect(dialog.getByLabelText('Date 2')).toHaveValue('2099-03-24')
    await user.click(dialog.getByRole('button', { name: 'Create 2 Events' }))

    expect(await dialog.findByText('1 of 2 could not be created')).toBeVisible()
    expect(dialog.getByText('The storage is full')).toBeVisible()
    expect(dialog.getByLabelText('Date')).toHaveValue('2099-03-17')
    await user.click(dialog.getByRole('button', { name: 'Create Event' }))
    expect(await screen.findByText('Event created successfully')).toBeVisible()
    expect(sent.map(({ event }) => event?.date)).toEqual(['2099-03-24', '2099-03-17'])
  })
})

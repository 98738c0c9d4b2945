import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import type { CalendarEvent, SaveEvent } from '../../../api/types'
import { aListedSpeaker, aVenue, anEvent, anInPersonEvent } from '../../../testing/factories'
import { aProxyError, loseFirstResponse } from '../../../testing/lost-response'
import { setScreen } from '../../../testing/screen-size'
import { server } from '../../../testing/session'
import {
  anEventServer,
  fill,
  openTab,
  button,
  fillNew,
  siteUrl,
  startNew,
  titles,
} from '../../../testing/events-tab'

/** Stores each created event, of which the first response is lost; returns the bodies. */
const loseEvents = (stored: Map<number, CalendarEvent>) =>
  loseFirstResponse<SaveEvent>('/api/events', ({ event }) => {
    const made = anEvent(event as Partial<CalendarEvent>)
    stored.set(made.id, made)
    return made
  })

describe('the form', () => {
  it('shows an error at each missing field and focuses the first', async () => {
    const { sent } = anEventServer([])
    const { user } = openTab()
    await startNew(user)
    expect(screen.queryByRole('button', { name: 'Create New Event' })).not.toBeInTheDocument()
    await user.click(button('Create Event'))
    for (const message of [
      'Title is required',
      'Summary is required',
      'Description is required',
      'Registration URL is required',
      'At least one speaker must be selected',
    ]) {
      expect(screen.getByText(message)).toBeVisible()
    }
    expect(screen.getByLabelText('Title')).toHaveFocus()
    expect(sent).toEqual([])

    await user.keyboard('Rent rolls')
    expect(screen.queryByText('Title is required')).not.toBeInTheDocument()
  })

  it('creates an online event with its speakers in order', async () => {
    const { sent } = anEventServer([])
    const { user } = openTab()
    await fillNew(user, 'Rent rolls')
    const combobox = screen.getByRole('combobox', { name: 'Add a speaker or host' })
    // The only one with this name is added without Enter.
    await user.type(combobox, 'okaf')
    await user.click(screen.getByLabelText('Title'))
    await user.type(combobox, '{ArrowDown}{ArrowDown}{Enter}')
    const tokens = within(screen.getByRole('list', { name: 'Chosen speakers' }))
    expect(tokens.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      'AOAda Okafor',
      'CRChi Roy',
    ])
    await user.click(button('Move Chi Roy earlier'))
    expect(button('Move Chi Roy earlier')).toHaveFocus()
    await user.click(button('Create Event'))

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

  /** Fills in a new event with a speaker. */
  async function fillComplete(user: ReturnType<typeof openTab>['user']) {
    await fillNew(user, 'Rent rolls')
    await user.type(screen.getByRole('combobox', { name: 'Add a speaker or host' }), 'okaf{Enter}')
  }

  /** Saves a new event, whose response is lost, and then again with another title. */
  async function saveAndCorrect(user: ReturnType<typeof openTab>['user']) {
    await fillComplete(user)
    await user.click(button('Create Event'))
    expect(await screen.findByText('Failed to create event')).toBeVisible()
    await user.type(screen.getByLabelText('Title'), ' 2')
    await user.click(button('Create Event'))
    expect(await screen.findByText('Event created successfully')).toBeVisible()
  }

  it('tells speakers with the same name apart, in the list and once they are chosen', async () => {
    anEventServer([])
    const { user } = openTab(1, '/', [
      aListedSpeaker(1, 'Ada Okafor'),
      { ...aListedSpeaker(2, 'Ada Okafor'), title: 'Broker' },
      aListedSpeaker(3, 'Ben Tal'),
      aListedSpeaker(4, 'Ben Tal'),
      aListedSpeaker(5, 'Chi Roy'),
    ])
    await startNew(user)
    const combobox = screen.getByRole('combobox', { name: 'Add a speaker or host' })
    for (const option of [
      /^Ada Okafor ?Partner$/,
      /^Ada Okafor ?Broker$/,
      /^Ben Tal ?Partner \(ID 3\)$/,
      /^Ben Tal ?Partner \(ID 4\)$/,
      /^Chi Roy ?Partner$/,
    ]) {
      await user.click(combobox)
      await user.click(screen.getByRole('option', { name: option }))
    }
    expect(screen.getByText('Chi Roy added as number 5')).toBeInTheDocument()
    const tokens = within(screen.getByRole('list', { name: 'Chosen speakers' }))
    for (const name of [
      'Ada Okafor, Partner',
      'Ada Okafor, Broker',
      'Ben Tal, Partner (ID 3)',
      'Ben Tal, Partner (ID 4)',
      'Chi Roy',
    ]) {
      expect(tokens.getByText(name)).toBeVisible()
      expect(tokens.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
    }
  })

  it('repeats a save that timed out with the same key', async () => {
    const { sent } = anEventServer([anEvent({ title: 'Old' })])
    const keys: (string | null)[] = []
    server.use(
      http.post('/api/events', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'))
        if (keys.length === 2) return HttpResponse.error()
        if (keys.length > 2) return undefined
        return HttpResponse.json({ error: 'The request took too long.' }, { status: 503 })
      }),
    )
    const { user } = openTab()
    await fillComplete(user)
    await user.click(button('Create Event'))
    expect(await screen.findByText('The request took too long.')).toBeVisible()
    await user.click(button('Create Event'))
    expect(await screen.findByText('Failed to create event')).toBeVisible()
    await user.click(button('Create Event'))
    expect(await screen.findByText('Event created successfully')).toBeVisible()

    const [first, second, third] = keys
    expect(first).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(second).toBe(first)
    expect(third).toBe(first)
    expect(sent).toHaveLength(1)
  })

  it('corrects the event that a save with a lost response created, instead of creating another', async () => {
    const { stored } = anEventServer([anEvent({ title: 'Old' })])
    const bodies = loseEvents(stored)
    const { user } = openTab()
    await saveAndCorrect(user)
    expect(await screen.findByRole('heading', { name: 'Rent rolls 2' })).toBeVisible()
    expect(titles()).toHaveLength(2)
    expect(bodies.map(({ event }) => event?.title)).toEqual(['Rent rolls', 'Rent rolls'])
  })

  /** Restores a draft in a second form, after the response of the first one was lost. */
  async function restoreLost() {
    const { stored } = anEventServer([])
    const bodies = loseEvents(stored)
    const first = openTab()
    await startNew(first.user)
    await fill(first.user, 'Title', 'Rent rolls')
    await first.user.click(button('Save Draft'))
    expect(await screen.findByText('Failed to create event')).toBeVisible()
    first.unmount()

    const { user } = openTab()
    await startNew(user)
    await user.click(button('Restore'))
    return { stored, bodies, user }
  }

  it('is created once if it was left after a lost response, and restored', async () => {
    const { stored, bodies, user } = await restoreLost()
    await user.click(button('Save Draft'))
    expect(await screen.findByText('Event created successfully')).toBeVisible()
    expect(bodies).toHaveLength(2)
    expect(stored.size).toBe(1)
    expect(localStorage).toHaveLength(0)
  })

  it('is corrected if it was left after a lost response, restored and corrected', async () => {
    const { stored, user } = await restoreLost()
    await fill(user, 'Title', 'Rent rolls 2')
    await user.click(button('Save Draft'))
    expect(await screen.findByText('Event created successfully')).toBeVisible()
    expect([...stored.values()].map(({ title }) => title)).toEqual(['Rent rolls 2'])
  })

  it('creates the corrected event if the save with a lost response had been rejected', async () => {
    const { sent } = anEventServer([])
    const names: unknown[] = []
    server.use(
      http.post('/api/events', async ({ request }) => {
        const { event } = (await request.clone().json()) as SaveEvent
        names.push(event?.title)
        if (names.length === 1) return HttpResponse.error()
        if (event?.title !== 'Rent rolls') return undefined
        return HttpResponse.json(
          { error: 'Title is taken', fields: { title: 'Title is taken' } },
          { status: 400 },
        )
      }),
    )
    const { user } = openTab()
    await saveAndCorrect(user)
    expect(names).toEqual(['Rent rolls', 'Rent rolls', 'Rent rolls 2'])
    expect(sent).toHaveLength(1)
  })

  describe('of an event that was deleted elsewhere', () => {
    const deletion = 'This event has been deleted. Save to create it again with these values.'

    /** Edits an event that is deleted before it is saved. */
    async function saveDeleted() {
      const old = anEvent({ title: 'Old', summary: 'Short.' })
      const { sent, stored } = anEventServer([old])
      server.use(http.get('/api/events/:id/activity', () => HttpResponse.json([])))
      const { user } = openTab()
      await user.click(await screen.findByRole('button', { name: 'Edit Old' }))
      await fill(user, 'Title', 'Mine')
      stored.delete(old.id)
      await user.click(button('Update Event'))
      expect(await screen.findByText(deletion)).toBeVisible()
      return { user, old, sent, stored }
    }

    it('creates it again', async () => {
      const { user, sent } = await saveDeleted()
      await user.click(button('Create Event'))
      expect(await screen.findByText('Event created successfully')).toBeVisible()
      expect(titles()).toEqual(['Mine'])
      expect(sent[0]?.revision).toBeUndefined()
    })

    it('changes it if it was restored since, instead of creating another', async () => {
      const { user, old, stored } = await saveDeleted()
      stored.set(old.id, { ...old, description: 'Theirs.', revision: 7 })
      await user.click(button('Create Event'))
      expect(
        await screen.findByText(
          'Event updated successfully. Somebody else’s changes were kept: Description',
        ),
      ).toBeVisible()
      expect(await screen.findByRole('heading', { name: 'Mine' })).toBeVisible()
      expect(titles()).toEqual(['Mine'])
    })

    it('asks which version to keep if it was restored and changed in the same field', async () => {
      const { user, old, stored } = await saveDeleted()
      stored.set(old.id, { ...old, title: 'Theirs', revision: 7 })
      await user.click(button('Create Event'))
      const dialog = within(await screen.findByRole('dialog', { name: /^This event was changed/ }))
      expect(dialog.getByRole('group', { name: 'Title' })).toHaveTextContent('TheirsTheirs')
    })
  })

  it('says that the server could not be reached if a proxy responds with a page', async () => {
    const { sent } = anEventServer([anEvent({ title: 'Old', summary: 'Short.' })])
    server.use(http.put('/api/events/:id', () => aProxyError(), { once: true }))
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Old' }))
    await user.type(screen.getByLabelText('Title'), 'er')
    await user.click(button('Update Event'))
    expect(
      await screen.findByText(
        /^The server could not be reached just now, and the change may or may not have been saved/,
      ),
    ).toBeVisible()
    expect(
      screen.getByText(
        'Failed to update event. The server could not be reached just now. The change may or may not have been saved.',
      ),
    ).toBeVisible()
    expect(screen.queryByText(/Bad Gateway/)).not.toBeInTheDocument()
    await user.click(button('Update Event'))
    expect(await screen.findByText('Event updated successfully')).toBeVisible()
    expect(sent[0]?.event?.title).toBe('Older')
  })

  it('retains the input when the type changes, and sends the site URL without a registration URL', async () => {
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
    await user.click(button('Update Event'))
    expect(await screen.findByText('Event updated successfully')).toBeVisible()
    expect(sent[0]).toMatchObject({
      revision: 1,
      event: { registrationUrl: siteUrl },
      location: { city: 'Tempe' },
    })
  })

  it('shows the server’s errors at their fields and retains the input', async () => {
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
    await user.click(button('Update Event'))
    await waitFor(() => {
      expect(screen.getAllByText('A selected speaker no longer exists')).toHaveLength(2)
    })
    expect(screen.getByRole('combobox', { name: /speaker/ })).toHaveFocus()
    expect(screen.getByLabelText('Title')).toHaveValue('Older')
  })

  it('asks which version to keep only for a field that both changed, and keeps the rest', async () => {
    const mine = anEvent({ title: 'Old', summary: 'Short.', description: 'Long.' })
    const { sent } = anEventServer([mine])
    const theirs = { ...mine, title: 'Theirs', summary: 'Their summary.', revision: 7 }
    server.use(
      http.put(
        '/api/events/:id',
        () =>
          HttpResponse.json(
            {
              error: 'This event was changed while you were editing it',
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
    await user.click(button('Update Event'))

    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByText(/bob@example.com saved it/)).toBeVisible()
    const titleChoice = within(dialog).getByRole('group', { name: 'Title' })
    expect(within(titleChoice).getByLabelText(/^Yours/)).toBeChecked()
    expect(within(dialog).queryByRole('group', { name: 'Summary' })).not.toBeInTheDocument()
    await user.click(within(dialog).getByRole('button', { name: 'Save This Version' }))
    // The toast moves from the dialog to the page.
    await waitFor(() => {
      expect(screen.getByText(/^Event updated successfully/)).toHaveTextContent(
        'Event updated successfully. Somebody else’s changes were kept: Summary',
      )
    })
    expect(sent[0]).toMatchObject({
      revision: 7,
      event: { title: 'Mine', summary: 'Their summary.', description: 'Long.' },
    })
  })

  it('names the status that each of two admins chose, and takes all of theirs', async () => {
    const mine = anEvent({ title: 'Decided by two', summary: 'Short.' })
    const { sent } = anEventServer([mine])
    const current = { ...mine, status: 'cancelled', revision: 7 }
    const error = 'This event was changed while you were editing it'
    server.use(
      http.put('/api/events/:id', () => HttpResponse.json({ error, current }, { status: 409 }), {
        once: true,
      }),
      http.get('/api/events/:id/activity', () => HttpResponse.json([])),
    )
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Decided by two' }))
    await user.selectOptions(screen.getByLabelText('Status'), 'Postponed')
    await user.click(button('Update Event'))
    const dialog = within(await screen.findByRole('dialog', { name: /^This event was changed/ }))
    expect(dialog.getByText('Cancelled')).toBeVisible()
    expect(dialog.getByText('Postponed')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Take All of Theirs' }))
    await user.click(dialog.getByRole('button', { name: 'Save This Version' }))
    await waitFor(() => {
      expect(sent[0]).toMatchObject({ revision: 7, event: { status: 'cancelled' } })
    })
  })

  it('saves the changes of two admins without a question if they changed different fields', async () => {
    const mine = anEvent({ title: 'Old', summary: 'Short.', description: 'Long.' })
    const { sent } = anEventServer([mine])
    const theirs = { ...mine, description: 'Their description.', revision: 7 }
    server.use(
      http.put(
        '/api/events/:id',
        () => HttpResponse.json({ error: 'Somebody else', current: theirs }, { status: 409 }),
        { once: true },
      ),
    )
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Old' }))
    await fill(user, 'Title', 'Mine')
    await user.click(button('Update Event'))
    expect(
      await screen.findByText(
        'Event updated successfully. Somebody else’s changes were kept: Description',
      ),
    ).toBeVisible()
    expect(sent[0]).toMatchObject({
      revision: 7,
      event: { title: 'Mine', summary: 'Short.', description: 'Their description.' },
    })
  })

  it('does not ask about its own earlier save, whose response was lost', async () => {
    const mine = anEvent({ title: 'Old', summary: 'Short.', description: 'Long.' })
    const { sent } = anEventServer([mine])
    const saved = { ...mine, title: 'Mine', revision: 7 }
    const responses = [
      HttpResponse.error(),
      HttpResponse.json({ error: 'Somebody else', current: saved }, { status: 409 }),
    ]
    server.use(http.put('/api/events/:id', () => responses.shift()))
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Old' }))
    await fill(user, 'Title', 'Mine')
    await user.click(button('Update Event'))
    expect(await screen.findByText('Failed to update event')).toBeVisible()
    await fill(user, 'Title', 'Mine, corrected')
    await user.click(button('Update Event'))
    expect(await screen.findByText('Event updated successfully')).toBeVisible()
    expect(sent[0]).toMatchObject({ revision: 7, event: { title: 'Mine, corrected' } })
  })

  it('treats a venue as one: two changes of it are a question', async () => {
    const mine = anInPersonEvent({ title: 'Walk', summary: 'A walk.' })
    anEventServer([mine])
    const theirs = {
      ...mine,
      revision: 7,
      location: { ...aVenue(), venueAddress: '1 Other Street' },
    }
    server.use(
      http.put('/api/events/:id', () =>
        HttpResponse.json({ error: 'Somebody else', current: theirs }, { status: 409 }),
      ),
      http.get('/api/events/:id/activity', () => HttpResponse.json([])),
    )
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Walk' }))
    await fill(user, /^Venue name/, 'The Long Room')
    await user.click(button('Update Event'))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByRole('group', { name: 'Venue name' })).toBeVisible()
    expect(dialog.getByRole('group', { name: 'Address' })).toBeVisible()
    expect(dialog.queryByRole('group', { name: 'City' })).not.toBeInTheDocument()
  })

  it('warns before the venue is removed, and saves all the same', async () => {
    const { sent } = anEventServer([anInPersonEvent({ title: 'Walk', summary: 'A walk.' })])
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Walk' }))
    await user.selectOptions(screen.getByLabelText('Event type'), 'Special')
    expect(screen.getByText(/“The Arcadia House” is removed when you save/)).toBeVisible()
    await user.click(button('Update Event'))
    expect(await screen.findByText('Event updated successfully')).toBeVisible()
    expect(sent[0]?.location).toBeUndefined()
  })

  it('warns about a start in the past and about another event of the same speaker', async () => {
    const ada = { id: 901, name: 'Ada Okafor', title: 'Partner', imageUrl: null, bio: null }
    anEventServer([anEvent({ title: 'Other', timezone: 'America/New_York' }, [ada])])
    const { user } = openTab()
    await startNew(user)
    expect(screen.queryByText(/is in the past/)).not.toBeInTheDocument()
    await fill(user, 'Date', '2020-01-02')
    expect(screen.getByText(/^January 2, 2020 at .* is in the past/)).toBeVisible()
    // A typing error, which saving reports.
    await fill(user, 'Date', '0202-01-02')
    expect(screen.queryByText(/is in the past/)).not.toBeInTheDocument()
    await user.type(screen.getByRole('combobox', { name: 'Add a speaker or host' }), 'okaf{Enter}')
    await fill(user, 'Date', '2099-03-10')
    await fill(user, 'Time', '20:45')
    expect(screen.queryByText(/is in the past/)).not.toBeInTheDocument()
    expect(screen.getByText(/^Ada Okafor also speaks at/)).toHaveTextContent(
      'Ada Okafor also speaks at Other (opens in a new tab) on March 10, 2099 at 8:00 PM ET for 60 minutes, at the same time.',
    )
    await fill(user, 'Time', '21:00')
    expect(screen.queryByText(/also speaks at/)).not.toBeInTheDocument()
  })

  it('shows what visitors will see in narrow windows too', async () => {
    setScreen('phone')
    anEventServer([])
    const { user } = openTab()
    await startNew(user)
    await fill(user, 'Title', 'Rent rolls')
    await user.click(screen.getByText('Preview: as visitors will see it'))
    const preview = await screen.findByRole('group', { name: 'The card of the event' })
    expect(within(preview).getByText('Rent rolls')).toBeVisible()
  })

  it('sends the format of the description, and previews it as the server formats it', async () => {
    setScreen('phone')
    const { sent } = anEventServer([anEvent({ title: 'Old', summary: 'Short.' })])
    server.use(
      http.post('/api/events/description', async ({ request }) => {
        const { description } = (await request.json()) as { description: string }
        return HttpResponse.json({ html: `<p><strong>${description}</strong></p>` })
      }),
    )
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Old' }))
    await user.click(screen.getByLabelText('Use Markdown for lists, bold and links'))
    await user.click(screen.getByText('Preview: as visitors will see it'))
    const preview = await screen.findByRole('group', { name: 'The card of the event' })
    expect((await within(preview).findByText('Line by line.')).tagName).toBe('STRONG')
    await user.click(button('Update Event'))
    expect(await screen.findByText('Event updated successfully')).toBeVisible()
    expect(sent[0]).toMatchObject({
      event: { description: 'Line by line.', descriptionFormat: 'markdown' },
    })
  })

  it('offers a synced duration that is not among the choices', async () => {
    anEventServer([anEvent({ title: 'Odd', duration: '50 minutes' })])
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Odd' }))
    expect(screen.getByLabelText('Duration')).toHaveValue('50 minutes')
    expect(within(screen.getByLabelText('Duration')).getAllByRole('option')).toHaveLength(13)
    await user.selectOptions(screen.getByLabelText('Duration'), '60 minutes')
    await user.selectOptions(screen.getByLabelText('Duration'), '50 minutes')
    expect(screen.getByLabelText('Duration')).toHaveValue('50 minutes')
  })

  it('resets a field to the value from Brandlive', async () => {
    anEventServer([anEvent({ title: 'Changed here', brandliveId: 'b1' })])
    server.use(
      http.get('/api/events/:id/sync', () =>
        HttpResponse.json({
          hiddenSince: null,
          fields: [
            { field: 'title', synced: 'From Brandlive', isLocal: true },
            { field: 'date', synced: '2099-03-10', isLocal: false },
          ],
        }),
      ),
    )
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Changed here' }))
    expect(await screen.findByText('Brandlive says: From Brandlive')).toBeVisible()
    await user.click(button('Reset to Brandlive: Title'))
    expect(screen.getByLabelText('Title')).toHaveValue('From Brandlive')
    expect(screen.getByText('Follows Brandlive again once you save.')).toBeVisible()
  })
})

describe('a form that was left without saving', () => {
  const leave = async (user: ReturnType<typeof openTab>['user']) => {
    await user.click(button('Cancel'))
  }

  it('offers what was typed, to restore or to discard', async () => {
    const { sent } = anEventServer([anEvent({ title: 'Old', summary: 'Short.' })])
    const first = openTab()
    await first.user.click(await screen.findByRole('button', { name: 'Edit Old' }))
    await fill(first.user, 'Title', 'Half done')
    first.unmount()

    const second = openTab()
    await second.user.click(await screen.findByRole('button', { name: 'Edit Old' }))
    expect(screen.getByLabelText('Title')).toHaveValue('Old')
    const offer = within(screen.getByRole('group', { name: 'Unsaved changes' }))
    expect(offer.getByText(/^You left this form on .* without saving\.$/)).toBeVisible()
    await fill(second.user, 'Summary', 'Typed before the offer was read.')
    expect(offer.getByText(/Restoring it replaces what you have typed since\.$/)).toBeVisible()
    await second.user.click(offer.getByRole('button', { name: 'Restore' }))
    expect(screen.getByLabelText('Title')).toHaveValue('Half done')
    expect(screen.getByLabelText('Title')).toHaveFocus()
    await second.user.click(button('Update Event'))
    expect(await screen.findByText('Event updated successfully')).toBeVisible()
    expect(sent[0]).toMatchObject({ revision: 1, event: { title: 'Half done' } })

    await second.user.click(await screen.findByRole('button', { name: 'Edit Half done' }))
    expect(screen.queryByRole('group', { name: 'Unsaved changes' })).not.toBeInTheDocument()
    await leave(second.user)
    expect(localStorage).toHaveLength(0)
  })

  it('says so if its save then found another admin’s changes, and offers what was typed', async () => {
    const mine = anEvent({ title: 'Old', summary: 'Short.', description: 'Long.' })
    anEventServer([mine])
    let finish: () => void = () => undefined
    const isLate = new Promise<void>((resolve) => (finish = resolve))
    const error = 'This event was changed while you were editing it'
    const current = { ...mine, summary: 'Their summary.', revision: 7 }
    server.use(
      http.put('/api/events/:id', async () => {
        await isLate
        return HttpResponse.json({ error, current }, { status: 409 })
      }),
    )
    const first = openTab()
    await first.user.click(await screen.findByRole('button', { name: 'Edit Old' }))
    await fill(first.user, 'Title', 'Mine')
    await first.user.click(button('Update Event'))
    first.unmount()
    const { user } = openTab()
    await user.click(await screen.findByRole('button', { name: 'Edit Old' }))
    finish()
    expect(await screen.findByText(error)).toBeVisible()
    await user.click(button('Restore'))
    expect(screen.getByLabelText('Title')).toHaveValue('Mine')
  })

  it('keeps what was typed in another tab, and offers it', async () => {
    anEventServer([anEvent({ title: 'Old' })])
    const second = openTab()
    await startNew(second.user)
    const first = openTab()
    const firstPage = within(first.container)
    const [create] = await firstPage.findAllByRole('button', { name: 'Create New Event' })
    if (create) await first.user.click(create)
    await first.user.click(firstPage.getByLabelText('Title'))
    await first.user.paste('In the first tab')
    first.unmount()

    await fill(second.user, 'Title', 'In the second tab')
    const offer = await screen.findByRole('group', { name: 'Unsaved changes' })
    await second.user.click(button('Save Draft'))
    expect(await screen.findByText('Event created successfully')).toBeVisible()
    expect(offer).not.toBeInTheDocument()
    await startNew(second.user)
    await second.user.click(button('Restore'))
    expect(screen.getByLabelText('Title')).toHaveValue('In the first tab')
    await second.user.click(button('Save Draft'))
    await waitFor(() => {
      expect(localStorage).toHaveLength(0)
    })
  })

  it('does not offer it again after it was discarded, nor to another user', async () => {
    anEventServer([])
    const first = openTab()
    await startNew(first.user)
    await fill(first.user, 'Title', 'Half done')
    first.unmount()

    const other = openTab(2)
    await startNew(other.user)
    expect(screen.queryByRole('group', { name: 'Unsaved changes' })).not.toBeInTheDocument()
    other.unmount()

    const second = openTab()
    await startNew(second.user)
    await second.user.click(button('Discard'))
    expect(screen.queryByRole('group', { name: 'Unsaved changes' })).not.toBeInTheDocument()
    expect(screen.getByLabelText('Title')).toHaveValue('')
    second.unmount()
    expect(localStorage).toHaveLength(0)
  })
})

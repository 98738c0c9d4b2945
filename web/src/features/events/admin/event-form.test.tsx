import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { anEvent, anInPersonEvent } from '../../../testing/factories'
import { server } from '../../../testing/session'
import {
  anEventServer,
  fill,
  openTab,
  button,
  siteUrl,
  startNew,
} from '../../../testing/events-tab'

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

  it('repeats a save that timed out with the same key, and changed content with another', async () => {
    const { sent } = anEventServer([anEvent({ title: 'Old' })])
    const keys: (string | null)[] = []
    server.use(
      http.post('/api/events', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'))
        if (keys.length === 2) return HttpResponse.error()
        if (keys.length > 3) return undefined
        return HttpResponse.json({ error: 'The request took too long.' }, { status: 503 })
      }),
    )
    const { user } = openTab()
    await startNew(user)
    await fill(user, 'Title', 'Rent rolls')
    await fill(user, 'Summary', 'One deal.')
    await fill(user, 'Description', 'Line by line.')
    await fill(user, 'Registration URL', 'https://example.com/r')
    await user.type(screen.getByRole('combobox', { name: 'Add a speaker or host' }), 'okaf{Enter}')
    await user.click(button('Create Event'))
    expect(await screen.findByText('The request took too long.')).toBeVisible()
    await user.click(button('Create Event'))
    expect(await screen.findByText('Failed to create event')).toBeVisible()
    await user.type(screen.getByLabelText('Title'), ' 2')
    await user.click(button('Create Event'))
    expect(await screen.findByText('The request took too long.')).toBeVisible()
    await user.click(button('Create Event'))
    expect(await screen.findByText('Event created successfully')).toBeVisible()

    const [first, second, third, fourth] = keys
    expect(first).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    expect(fourth).toBe(third)
    expect(sent).toHaveLength(1)
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

  it('shows both versions after an edit conflict and saves the chosen one', async () => {
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
    await user.click(button('Update Event'))

    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByText(/bob@example.com saved it/)).toBeVisible()
    const titleChoice = within(dialog).getByRole('group', { name: 'Title' })
    expect(within(titleChoice).getByLabelText(/^Yours/)).toBeChecked()
    const summaryChoice = within(dialog).getByRole('group', { name: 'Summary' })
    expect(within(summaryChoice).getByLabelText(/^Theirs/)).toBeChecked()
    await user.click(within(dialog).getByRole('button', { name: 'Save This Version' }))
    // The toast moves from the dialog to the page.
    await waitFor(() => {
      expect(screen.getByText('Event updated successfully')).toBeVisible()
    })
    expect(sent[0]).toMatchObject({
      revision: 7,
      event: { title: 'Mine', summary: 'Their summary.', description: 'Long.' },
    })
  })

  it('offers an imported duration that is not among the choices', async () => {
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
    await user.click(button('Reset to Brandlive: Title'))
    expect(screen.getByLabelText('Title')).toHaveValue('From Brandlive')
    expect(screen.getByText('Follows Brandlive again once you save.')).toBeVisible()
  })
})

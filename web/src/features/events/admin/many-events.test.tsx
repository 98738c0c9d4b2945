import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import type { CalendarEvent, BulkEdit, PlannedEdit } from '../../../api/types'
import { anEvent } from '../../../testing/factories'
import { anEventServer, button, openTab } from '../../../testing/events-tab'
import { aProxyError } from '../../../testing/lost-response'
import { server } from '../../../testing/session'

/** Eight events: six of two series in January, two in February. */
const eight = () =>
  Array.from({ length: 8 }, (_, index) => {
    const date = index < 6 ? `2099-01-0${index + 1}` : `2099-02-0${index + 1}`
    return anEvent({
      title: `Event ${index + 1}`,
      series: index < 3 ? 'Tax Tuesdays' : index < 5 ? 'tax  tuesdays' : null,
      date,
      startsAt: `${date}T23:00:00Z`,
    })
  })

/** A fake API for changes; returns the bodies that it received. */
function aChangeServer(events: readonly CalendarEvent[], errors: Record<number, string> = {}) {
  const previews: BulkEdit[] = []
  const changes: BulkEdit[] = []
  const undone: string[] = []
  const planned = ({ events: chosen = [] }: BulkEdit): PlannedEdit[] =>
    events
      .filter(({ id }) => chosen.some((one) => one.id === id))
      .map(({ id, title, date, revision, time }) => ({
        id,
        title,
        date,
        revision,
        isDeleted: false,
        changes: [{ field: 'time', before: time, after: '18:30' }],
        errors: errors[id] === undefined ? [] : [errors[id]],
      }))
  server.use(
    http.post('/api/events/bulk-edits/preview', async ({ request }) => {
      const body = (await request.json()) as BulkEdit
      previews.push(body)
      return HttpResponse.json({ events: planned(body) })
    }),
    http.post('/api/events/bulk-edits', async ({ request }) => {
      const body = (await request.json()) as BulkEdit
      changes.push(body)
      const count = body.events?.length ?? 0
      return HttpResponse.json({ id: 7, count, undoUntil: '' }, { status: 201 })
    }),
    http.post('/api/events/bulk-edits/:id/undo', ({ params }) => {
      undone.push(String(params.id))
      return HttpResponse.json({ count: 2 })
    }),
  )
  return { previews, changes, undone }
}

const bar = () => within(screen.getByRole('group', { name: 'Several events' }))
const selected = () => bar().getByText(/ selected/).textContent

describe('selecting events', () => {
  it('counts single events, those that match, and those of a series or a month', async () => {
    anEventServer(eight())
    const { user } = openTab()
    await user.click(await screen.findByRole('checkbox', { name: 'Select Event 2' }))
    expect(selected()).toBe('1 event selected')

    await user.type(screen.getByLabelText('Find'), 'event 8')
    await user.click(screen.getByRole('checkbox', { name: 'Select all 1 that match' }))
    expect(selected()).toBe('2 events selected, 1 of them not in this list')
    await user.clear(screen.getByLabelText('Find'))
    expect(screen.getByRole('checkbox', { name: 'Select all 8' })).toBePartiallyChecked()

    await user.click(button('Select by Series or Month'))
    const dialog = within(screen.getByRole('dialog', { name: 'Select by Series or Month' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Tax Tuesdays 5 events' }))
    expect(dialog.getByText('6 events selected')).toBeVisible()
    await user.click(dialog.getByRole('checkbox', { name: 'February 2099 2 events' }))
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    expect(selected()).toBe('7 events selected')

    await user.click(button('Clear Selection'))
    expect(bar().queryByText(/ selected/)).not.toBeInTheDocument()
  })

  it('lasts while an event is edited', async () => {
    anEventServer(eight())
    const { user } = openTab()
    await user.click(await screen.findByRole('checkbox', { name: 'Select Event 2' }))
    await user.click(button('Edit Event 1'))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(await screen.findByRole('checkbox', { name: 'Select Event 2' })).toBeChecked()
  })
})

describe('selected events that the filter excludes', () => {
  async function selectAllThenFind(text: string) {
    const events = eight()
    anEventServer(events)
    const { changes } = aChangeServer(events)
    const { user } = openTab()
    await user.click(await screen.findByRole('checkbox', { name: 'Select all 8' }))
    await user.type(screen.getByLabelText('Find'), text)
    return { user, changes }
  }

  it('are counted, named in the question before a deletion, and can be deselected', async () => {
    const { user, changes } = await selectAllThenFind('event 8')
    expect(await bar().findByText('8 events selected, 7 of them not in this list')).toBeVisible()
    await user.click(button('Delete 8 Events'))
    const question = screen.getByRole('alertdialog', { name: 'Delete 8 Events' })
    expect(question).toHaveTextContent(
      '7 of these events do not match the filter and are not in the list.',
    )
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))

    await user.click(button('Deselect the 7 Not in This List'))
    expect(selected()).toBe('1 event selected')
    expect(screen.getByRole('checkbox', { name: 'Select all 1 that match' })).toHaveFocus()
    await user.click(button('Delete 1 Event'))
    const last = screen.getByRole('alertdialog', { name: 'Delete 1 Event' })
    expect(last).not.toHaveTextContent('filter')
    await user.click(within(last).getByRole('button', { name: 'Delete 1 Event' }))
    await screen.findByText('1 event deleted successfully')
    expect(changes[0]?.events).toHaveLength(1)
  })

  it('are counted in both steps of a change', async () => {
    const { user } = await selectAllThenFind('event 8')
    await user.click(button('Change 8 Events'))
    const dialog = within(screen.getByRole('dialog', { name: 'Change 8 Events' }))
    const sentence = '7 of these events do not match the filter and are not in the list.'
    expect(dialog.getByText(sentence)).toBeVisible()
    await user.selectOptions(dialog.getByLabelText('Status'), 'Hidden')
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    await dialog.findByRole('heading', { name: 'Preview' })
    expect(dialog.getByText(sentence)).toBeVisible()
  })

  it('can be all of them', async () => {
    const { user } = await selectAllThenFind('zeppelin')
    expect(await bar().findByText('8 events selected, not in this list')).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Deselect/ })).not.toBeInTheDocument()
    await user.click(button('Delete 8 Events'))
    expect(screen.getByRole('alertdialog')).toHaveTextContent(
      'These events do not match the filter and are not in the list.',
    )
  })
})

describe('changing several events', () => {
  async function openDialog(count = 2) {
    const { user } = openTab()
    for (let number = 1; number <= count; number += 1) {
      await user.click(await screen.findByRole('checkbox', { name: `Select Event ${number}` }))
    }
    await user.click(button(`Change ${count} Events`))
    return { user, dialog: within(screen.getByRole('dialog')) }
  }

  it('shows each event before and after, and changes all with one undo', async () => {
    const events = eight()
    anEventServer(events)
    const { previews, changes, undone } = aChangeServer(events)
    const { user, dialog } = await openDialog()
    await user.type(dialog.getByLabelText('Time'), '18:30')
    await user.selectOptions(dialog.getByLabelText('Speakers'), 'Replace a speaker')
    const [first] = events[0]?.speakers ?? []
    await user.selectOptions(dialog.getByLabelText('Replace'), first?.speaker.name ?? '')
    await user.selectOptions(dialog.getByLabelText('By'), 'Ben Tal')
    await user.click(dialog.getByRole('button', { name: 'Preview' }))

    expect(await dialog.findByRole('heading', { name: 'Preview' })).toHaveFocus()
    expect(previews[0]?.changes).toEqual({
      time: '18:30',
      speakers: { replace: { from: first?.speakerId, to: 902 } },
    })
    // In the events' zone, as visitors read them.
    expect(dialog.getAllByText('8:00 PM ET')).toHaveLength(2)
    expect(dialog.getAllByText('6:30 PM ET')).toHaveLength(2)
    expect(changes).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Change 2 Events' }))
    expect(await screen.findByText('2 events changed successfully')).toBeVisible()
    expect(changes[0]?.events?.map(({ revision }) => revision)).toEqual([1, 1])
    expect(bar().queryByText(/ selected/)).not.toBeInTheDocument()

    await user.click(button('Undo'))
    expect(await screen.findByText('The change of 2 events was undone')).toBeVisible()
    expect(undone).toEqual(['7'])
  })

  it('saves nothing while one event is invalid, until it is left out', async () => {
    const events = eight()
    anEventServer(events)
    const { changes } = aChangeServer(events, { [events[1]?.id ?? 0]: 'Title is required' })
    const { user, dialog } = await openDialog(3)
    await user.selectOptions(dialog.getByLabelText('Status'), 'Published')
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    expect(await dialog.findByText('Title is required')).toBeVisible()
    expect(dialog.getByText('1 event can’t be changed like this')).toBeVisible()
    expect(dialog.queryByRole('button', { name: /^Change/ })).not.toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Leave Out 1 Event' }))
    expect(dialog.getByRole('checkbox', { name: /^Event 2/ })).not.toBeChecked()
    await user.click(dialog.getByRole('button', { name: 'Change 2 Events' }))
    await waitFor(() => {
      expect(changes[0]?.events?.map(({ id }) => id)).toEqual([events[0]?.id, events[2]?.id])
    })
  })

  it('marks the field that the server rejects, and keeps what was typed', async () => {
    const events = eight()
    anEventServer(events)
    server.use(
      http.post('/api/events/bulk-edits/preview', () =>
        HttpResponse.json(
          {
            error: 'Must be a valid URL',
            fields: { 'changes.registrationUrl': 'Must be a valid URL' },
          },
          { status: 400 },
        ),
      ),
    )
    const { user, dialog } = await openDialog()
    await user.type(dialog.getByLabelText('Registration URL'), 'nowhere')
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    const url = dialog.getByLabelText('Registration URL')
    await waitFor(() => {
      expect(url).toHaveFocus()
    })
    expect(url).toHaveAccessibleDescription(/Must be a valid URL/)
    expect(url).toHaveValue('nowhere')
  })

  it('does not claim that nothing was saved if a proxy responds with a page', async () => {
    const events = eight()
    anEventServer(events)
    aChangeServer(events)
    server.use(http.post('/api/events/bulk-edits', () => aProxyError(), { once: true }))
    const { user, dialog } = await openDialog()
    await user.selectOptions(dialog.getByLabelText('Status'), 'Hidden')
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    await user.click(await dialog.findByRole('button', { name: 'Change 2 Events' }))
    expect(
      await dialog.findByText(
        'Failed to change the events. The server could not be reached just now. The change may or may not have been saved.',
      ),
    ).toBeVisible()
    expect(dialog.queryByText('Nothing was saved.')).not.toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Change 2 Events' }))
    expect(await screen.findByText('2 events changed successfully')).toBeVisible()
  })

  it('says when somebody else changed an event in between', async () => {
    const events = eight()
    anEventServer(events)
    aChangeServer(events)
    const error = '“Event 1” was changed by somebody else in the meantime.'
    server.use(
      http.post('/api/events/bulk-edits', () => HttpResponse.json({ error }, { status: 409 })),
    )
    const { user, dialog } = await openDialog()
    await user.selectOptions(dialog.getByLabelText('Status'), 'Hidden')
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    await user.click(await dialog.findByRole('button', { name: 'Change 2 Events' }))
    expect(await dialog.findByText(error)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Preview Again' }))
    expect(await dialog.findByRole('button', { name: 'Change 2 Events' })).toBeEnabled()
    expect(dialog.queryByText(error)).not.toBeInTheDocument()
  })
})

describe('an event that was deleted in the meantime', () => {
  const conflict =
    'One of these events was deleted in the meantime. Nothing was saved: choose again.'

  /** Selects two events and opens a dialog about them; the server rejects edits of events that it lacks. */
  async function openDialog(isDeletion = false) {
    const events = eight()
    const { stored } = anEventServer(events)
    const { changes } = aChangeServer(events)
    const rejectDeleted = async ({ request }: { request: Request }) => {
      const { events: chosen = [] } = (await request.clone().json()) as BulkEdit
      if (chosen.every(({ id }) => stored.has(id))) return undefined
      return HttpResponse.json({ error: conflict, fields: { events: conflict } }, { status: 409 })
    }
    server.use(
      http.post('/api/events/bulk-edits/preview', rejectDeleted),
      http.post('/api/events/bulk-edits', rejectDeleted),
    )
    const { user } = openTab()
    for (const number of [1, 2]) {
      await user.click(await screen.findByRole('checkbox', { name: `Select Event ${number}` }))
    }
    await user.click(button(isDeletion ? 'Delete 2 Events' : 'Change 2 Events'))
    const remove = (index: number) => stored.delete(events[index]?.id ?? 0)
    return {
      user,
      dialog: within(screen.getByRole(isDeletion ? 'alertdialog' : 'dialog')),
      changes,
      remove,
    }
  }
  const sentence = '“Event 2” on Jan 2, 2099 was deleted in the meantime and is no longer selected.'

  it('is named before the preview and no longer selected', async () => {
    const { user, dialog, changes, remove } = await openDialog()
    await user.selectOptions(dialog.getByLabelText('Status'), 'Hidden')
    remove(1)
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    expect(await dialog.findByText(sentence)).toBeVisible()
    expect(dialog.getByRole('heading', { name: 'Change 1 Event' })).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    await user.click(await dialog.findByRole('button', { name: 'Change 1 Event' }))
    expect(await screen.findByText('1 event changed successfully')).toBeVisible()
    expect(changes[0]?.events).toHaveLength(1)
  })

  it('is named after the preview, and the others are previewed again', async () => {
    const { user, dialog, remove } = await openDialog()
    await user.selectOptions(dialog.getByLabelText('Status'), 'Hidden')
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    await dialog.findByRole('heading', { name: 'Preview' })
    remove(1)
    await user.click(dialog.getByRole('button', { name: 'Change 2 Events' }))
    expect(await dialog.findByText(sentence)).toBeVisible()
    expect(dialog.queryByRole('checkbox', { name: /^Event 2/ })).not.toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Preview Again' }))
    await user.click(await dialog.findByRole('button', { name: 'Change 1 Event' }))
    expect(await screen.findByText('1 event changed successfully')).toBeVisible()
  })

  it('is named before the deletion of the others', async () => {
    const { user, dialog, changes, remove } = await openDialog(true)
    remove(1)
    await user.click(dialog.getByRole('button', { name: 'Delete 2 Events' }))
    expect(await dialog.findByText(sentence)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Delete 1 Event' }))
    expect(await screen.findByText('1 event deleted successfully')).toBeVisible()
    expect(changes[0]?.events).toHaveLength(1)
  })

  it('is counted when the dialog opens', async () => {
    const events = eight()
    const { stored } = anEventServer(events)
    const { user } = openTab()
    for (const number of [1, 2]) {
      await user.click(await screen.findByRole('checkbox', { name: `Select Event ${number}` }))
    }
    stored.delete(events[1]?.id ?? 0)
    await user.click(button('Change 2 Events'))
    expect(await screen.findByRole('heading', { name: 'Change 1 Event' })).toBeVisible()
    expect(
      screen.getByText(
        'One of the selected events was deleted in the meantime and is no longer selected.',
      ),
    ).toBeVisible()
  })

  it('closes the dialog if no other was selected', async () => {
    const { user, dialog, remove } = await openDialog()
    await user.selectOptions(dialog.getByLabelText('Status'), 'Hidden')
    remove(0)
    remove(1)
    await user.click(dialog.getByRole('button', { name: 'Preview' }))
    expect(
      await screen.findByText('The selected events were deleted in the meantime'),
    ).toBeVisible()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })
})

describe('the changes that can be undone', () => {
  it('are listed with who made them, and undone from there', async () => {
    anEventServer(eight())
    const { undone } = aChangeServer([])
    const change = {
      id: 9,
      at: '2026-11-23T12:00:00Z',
      who: 'bea@example.com',
      action: 'deleted',
      count: 12,
      firstTitle: 'Event 1',
      undoUntil: '2026-11-24T12:00:00Z',
    }
    server.use(
      http.get('/api/events/bulk-edits', () =>
        HttpResponse.json(undone.length > 0 ? [] : [change]),
      ),
    )
    const { user } = openTab()
    await user.click(await screen.findByText('Undo a change'))
    expect(await screen.findByText(/12 events deleted by bea@example\.com/)).toBeVisible()
    await user.click(button('Undo: 12 events deleted'))
    expect(await screen.findByText(/There is nothing to undo/)).toBeVisible()
    expect(undone).toEqual(['9'])
  })
})

describe('what I chose in the dialog', () => {
  it('is not lost by Escape without a question', async () => {
    anEventServer(eight())
    const { user } = openTab()
    await user.click(await screen.findByRole('checkbox', { name: 'Select Event 1' }))
    await user.click(button('Change 1 Event'))
    await user.type(screen.getByLabelText('Registration URL'), 'https://example.com/new')
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
    expect(screen.getByRole('alertdialog', { name: 'Discard These Changes?' })).toBeVisible()
    await user.click(button('Keep Editing'))
    expect(screen.getByLabelText('Registration URL')).toHaveValue('https://example.com/new')
    await user.click(button('Cancel'))
    await user.click(button('Discard'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })
})

it('clearing the selection leaves the focus in the list', async () => {
  anEventServer(eight())
  const { user } = openTab()
  await user.click(await screen.findByRole('checkbox', { name: 'Select Event 1' }))
  await user.click(button('Clear Selection'))
  expect(screen.getByRole('checkbox', { name: 'Select all 8' })).toHaveFocus()
})

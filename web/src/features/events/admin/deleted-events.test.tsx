import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { DeletedEvent } from '../../../api/types'
import { anEventServer, button, many, openTab } from '../../../testing/events-tab'
import { anEvent } from '../../../testing/factories'
import { server } from '../../../testing/session'

const deletedOf = (title: string, overrides: Partial<DeletedEvent> = {}): DeletedEvent => ({
  event: anEvent({ title }),
  deletedAt: '2026-11-22T05:00:00Z',
  deletedBy: 'ada@example.com',
  purgedAt: '2026-12-22T05:00:00Z',
  ...overrides,
})

const [walk, rent] = [deletedOf('Property walk'), deletedOf('Rent rolls', { deletedBy: null })]
let deleted: DeletedEvent[]

beforeEach(() => {
  deleted = [walk, rent]
  const { stored } = anEventServer(many(1))
  server.use(
    http.get('/api/events/deleted', () => HttpResponse.json(deleted)),
    http.post('/api/events/:id/restore', ({ params }) => {
      const entry = deleted.find(({ event }) => event.id === Number(params.id))
      if (!entry) return HttpResponse.json({ error: 'Event not found' }, { status: 404 })
      deleted = deleted.filter((other) => other !== entry)
      stored.set(entry.event.id, entry.event)
      return HttpResponse.json(entry.event)
    }),
  )
})

/** Opens the view by its link. */
async function openDeleted() {
  const { user } = openTab()
  await user.click(await screen.findByRole('link', { name: 'Recently deleted' }))
  return user
}

const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent)

it('lists what was deleted with who, when and until when, and leads back to the link', async () => {
  const user = await openDeleted()
  expect(await screen.findByRole('heading', { level: 1, name: 'Recently Deleted' })).toHaveFocus()
  await screen.findByRole('heading', { level: 2, name: 'Property walk' })
  const [first, second] = rows()
  expect(first).toContain('Mar 10, 2099, 8:00 PM ET · Pillars of Wealthbuilding')
  expect(first).toMatch(/Deleted by ada@example\.com, Nov 22, 2026, .*10:30/)
  expect(first).toContain('Deleted for good on Dec 22, 2026')
  expect(second).toMatch(/Deleted, Nov 22, 2026/)

  await user.click(screen.getByRole('link', { name: 'All Events' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Events' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Recently deleted' })).toHaveFocus()
})

it('is linked from the message that the event of a link is not there', async () => {
  const { user } = openTab(1, '/?event=abc')
  const title = 'The event of this link is not there'
  const message = await screen.findByText(title)
  await user.click(
    within(message.parentElement ?? document.body).getByRole('link', { name: 'Recently deleted' }),
  )
  await screen.findByRole('heading', { level: 2, name: 'Property walk' })

  await user.click(screen.getByRole('link', { name: 'All Events' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Events' })).toBeVisible()
  expect(screen.queryByText(title)).toBeNull()
})

it('restores an event and moves the focus to the next one, at last to the heading', async () => {
  const user = await openDeleted()
  await user.click(await screen.findByRole('button', { name: 'Restore Property walk' }))
  expect(await screen.findByText('Event restored successfully')).toBeVisible()
  await waitFor(() => {
    expect(rows()).toHaveLength(1)
  })
  expect(button('Restore Rent rolls')).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(await screen.findByText('No events were deleted in the last 30 days.')).toBeVisible()
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  await user.click(screen.getByRole('link', { name: 'All Events' }))
  expect(await screen.findByRole('article', { name: 'Rent rolls' })).toBeVisible()
})

it('says that the speakers of a restored event were deleted', async () => {
  deleted = [{ ...walk, event: { ...walk.event, speakers: [] } }]
  const user = await openDeleted()
  await user.click(await screen.findByRole('button', { name: 'Restore Property walk' }))
  expect(
    await screen.findByText(/Its speakers were deleted since then: add others\./),
  ).toBeVisible()
})

it('says that an event can no longer be restored, and removes it from the list', async () => {
  const user = await openDeleted()
  const restore = await screen.findByRole('button', { name: 'Restore Property walk' })
  deleted = [rent]
  await user.click(restore)
  const sentence = '“Property walk” was restored or deleted for good in the meantime'
  expect(await screen.findByText(sentence)).toBeVisible()
  await waitFor(() => {
    expect(rows()).toHaveLength(1)
  })
})

it('shows progress, and that the list can’t be loaded', async () => {
  let respond: (status: number) => void = () => undefined
  server.use(
    http.get('/api/events/deleted', async () => {
      const status = await new Promise<number>((resolve) => (respond = resolve))
      return status === 200 ? HttpResponse.json(deleted) : new HttpResponse(null, { status })
    }),
  )
  const user = await openDeleted()
  expect(await screen.findByText('Loading deleted events...')).toBeInTheDocument()
  respond(503)
  expect(await screen.findByText('Unable to load deleted events')).toBeVisible()
  await user.click(button('Try Again'))
  expect(await screen.findByText('Loading deleted events...')).toBeInTheDocument()
  respond(200)
  expect(await screen.findByRole('heading', { name: 'Property walk' })).toBeVisible()
})

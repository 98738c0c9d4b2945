import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it, vi } from 'vitest'
import type { SpeakerDeletionConflict } from '../../api/types'
import { aListedSpeaker } from '../../testing/factories'
import { renderComponent } from '../../testing/render'
import { server } from '../../testing/session'
import { DeleteSpeaker } from './delete-speaker'

const ada = aListedSpeaker(7, 'Ada Okafor')

/** Deletes the speaker, with this response of the server. */
async function confirmDeletion(status: number, body: object) {
  server.use(http.delete('/api/speakers/7', () => HttpResponse.json(body, { status })))
  const onDeleted = vi.fn()
  const { user } = renderComponent(
    <DeleteSpeaker speaker={ada} onCancel={vi.fn()} onDeleted={onDeleted} />,
  )
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  return onDeleted
}

const conflict = (titles: string[], more: number): SpeakerDeletionConflict => ({
  // Not parsed for the titles.
  error: 'It can’t be done.',
  events: titles.map((title, index) => ({ id: index + 1, title, path: `/events/${index + 1}` })),
  more,
})

it('lists the events that would be left without a speaker, and how many more there are', async () => {
  const titles = ['“A”, “B” and 3 more. Give', 'Who pays, and when?']
  const onDeleted = await confirmDeletion(409, conflict(titles, 12))
  const dialog = await screen.findByRole('alertdialog', {
    name: 'This speaker can’t be deleted yet',
  })
  const titlesShown = within(dialog)
    .getAllByRole('listitem')
    .map((item) => item.textContent)
  expect(titlesShown).toEqual([...titles, 'and 12 more'])
  // The others are found by the speaker.
  expect(within(dialog).getByRole('link', { name: 'and 12 more' })).toHaveAttribute(
    'href',
    '/admin?q=Ada%20Okafor',
  )
  expect(dialog).toHaveTextContent('Ada Okafor is the only speaker of these events.')
  expect(onDeleted).not.toHaveBeenCalled()
})

it('uses the singular for one event', async () => {
  await confirmDeletion(409, conflict(['A walk'], 0))
  expect(await screen.findByText(/the only speaker of this event\. Give it another/)).toBeVisible()
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
})

it('shows the server’s message for other errors', async () => {
  await confirmDeletion(503, { error: 'The server is busy. Please try again in a moment.' })
  expect(await screen.findByText(/The server is busy/)).toBeVisible()
  expect(screen.getByRole('alertdialog', { name: 'Delete Speaker' })).toBeVisible()
})

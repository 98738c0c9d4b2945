import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import type { SaveSpeaker, Speaker } from '../../api/types'
import { SavedInputOwner } from '../../lib/saved-input'
import { aListedSpeaker } from '../../testing/factories'
import { loseFirstResponse } from '../../testing/lost-response'
import { renderComponent } from '../../testing/render'
import { aRevisionServer } from '../../testing/revision-server'
import { server } from '../../testing/session'
import { NewSpeakerDialog } from './new-speaker-dialog'
import { SpeakersTab } from './speakers-tab'

/** A fake API with one speaker, whom another admin can change. */
function aSpeakerServer() {
  const state = aRevisionServer<Speaker, SaveSpeaker>(
    '/api/speakers/7',
    aListedSpeaker(7, 'Zoe Adler'),
    'This speaker was changed while you were editing it',
    (speaker, values) => ({ ...speaker, ...values }) as Speaker,
  )
  server.use(http.get('/api/speakers', () => HttpResponse.json([state.current])))
  return state
}

const show = (search = '') =>
  renderComponent(
    <SavedInputOwner value={1}>
      <SpeakersTab />
    </SavedInputOwner>,
    `/admin?tab=speakers${search}`,
  )

it('the changes of two admins to one speaker are both saved', async () => {
  const state = aSpeakerServer()
  const { user } = show('&speaker=7')
  await user.type(await screen.findByLabelText(/^Bio/), 'Ten syndications.')
  state.current = { ...state.current, title: 'Chief host', revision: 2 }
  await user.click(screen.getByRole('button', { name: 'Update Speaker' }))
  expect(
    await screen.findByText(
      'Speaker updated successfully. Somebody else’s changes were kept: Title',
    ),
  ).toBeVisible()
  expect(state.current).toMatchObject({ title: 'Chief host', bio: 'Ten syndications.' })
})

/**
 * A fake API with one speaker, and others that are created, of which the first response is lost, or
 * comes when `isLate` resolves.
 */
function loseFirstSpeaker(isLate?: Promise<void>) {
  const all = new Map([[7, aListedSpeaker(7, 'Zoe Adler')]])
  server.use(
    http.get('/api/speakers', () => HttpResponse.json([...all.values()])),
    http.put('/api/speakers/:id', async ({ request, params }) => {
      const speaker = { ...all.get(Number(params.id)), ...((await request.json()) as Speaker) }
      all.set(speaker.id, speaker)
      return HttpResponse.json(speaker)
    }),
  )
  const create = ({ name }: SaveSpeaker) => {
    const speaker = aListedSpeaker(7 + all.size, name ?? '')
    all.set(speaker.id, speaker)
    return speaker
  }
  loseFirstResponse('/api/speakers', create, isLate)
}

async function saveMisspelled(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: 'New Speaker' }))
  await user.type(screen.getByLabelText('Name'), 'Ada Okafr')
  await user.type(screen.getByLabelText('Title'), 'Partner')
  await user.click(screen.getByRole('button', { name: 'Create Speaker' }))
}

async function createMisspelled(user: UserEvent) {
  await saveMisspelled(user)
  expect(await screen.findByText('Failed to save speaker')).toBeVisible()
}

async function createCorrected(user: UserEvent) {
  await user.clear(screen.getByLabelText('Name'))
  await user.type(screen.getByLabelText('Name'), 'Ada Okafor')
  await user.click(screen.getByRole('button', { name: 'Create Speaker' }))
  expect(await screen.findByText('Speaker created successfully')).toBeVisible()
  expect(screen.getByRole('button', { name: /Ada Okafor/ })).toBeVisible()
  expect(screen.queryByRole('button', { name: /Ada Okafr/ })).not.toBeInTheDocument()
}

it('a correction of a new speaker after a lost response changes what was created', async () => {
  loseFirstSpeaker()
  const { user } = show()
  await createMisspelled(user)
  await createCorrected(user)
})

it('so does a correction of restored input', async () => {
  loseFirstSpeaker()
  const first = show()
  await createMisspelled(first.user)
  first.unmount()
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: 'New Speaker' }))
  await user.click(screen.getByRole('button', { name: 'Restore' }))
  await createCorrected(user)
})

it('so does a correction of input that is restored before the response', async () => {
  let finish: () => void = () => undefined
  loseFirstSpeaker(new Promise((resolve) => (finish = resolve)))
  const first = show()
  await saveMisspelled(first.user)
  first.unmount()
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: 'New Speaker' }))
  await user.click(screen.getByRole('button', { name: 'Restore' }))
  await createCorrected(user)
  finish()
})

it('a save that ends after its form was left says so, and its input is not offered again', async () => {
  aSpeakerServer()
  let finish: () => void = () => undefined
  const saved = new Promise<void>((resolve) => (finish = resolve))
  server.use(
    http.put('/api/speakers/7', async ({ request }) => {
      await saved
      return HttpResponse.json(await request.json())
    }),
  )
  const first = show('&speaker=7')
  await first.user.type(await screen.findByLabelText(/^Bio/), 'Ten syndications.')
  await first.user.click(screen.getByRole('button', { name: 'Update Speaker' }))
  first.unmount()
  expect(localStorage).toHaveLength(1)
  const { user } = show()
  await screen.findByRole('button', { name: /Zoe Adler/ })
  finish()
  expect(await screen.findByText('Speaker updated successfully')).toBeVisible()
  await user.click(screen.getByRole('button', { name: /Zoe Adler/ }))
  expect(screen.getByLabelText(/^Bio/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Restore' })).not.toBeInTheDocument()
})

it('speakers that can’t be fetched can be requested again', async () => {
  server.use(http.get('/api/speakers', () => HttpResponse.json({}, { status: 503 })))
  const { user } = show()
  expect(await screen.findByText('Failed to fetch speakers', {}, { timeout: 5000 })).toBeVisible()
  aSpeakerServer()
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('button', { name: /Zoe Adler/ })).toBeVisible()
})

it.each(['999999', 'abc'])('a link to the unknown speaker %s says so', async (id) => {
  aSpeakerServer()
  show(`&speaker=${id}`)
  expect(await screen.findByText('The speaker of this link is not there')).toBeVisible()
  expect(screen.getByRole('region', { name: 'Guest Speakers' })).toBeVisible()
})

it('a new speaker is not saved without the image that is being uploaded', async () => {
  let finish: () => void = () => undefined
  const uploaded = new Promise<void>((resolve) => (finish = resolve))
  const saved: SaveSpeaker[] = []
  server.use(
    http.post('/api/pictures', async () => {
      await uploaded
      return HttpResponse.json({ url: '/pictures/a1.jpg' }, { status: 201 })
    }),
    http.post('/api/speakers', async ({ request }) => {
      saved.push((await request.json()) as SaveSpeaker)
      return HttpResponse.json(aListedSpeaker(8, 'Chi Roy'), { status: 201 })
    }),
  )
  const { user } = renderComponent(
    <NewSpeakerDialog name="Chi Roy" onCreated={() => undefined} onClose={() => undefined} />,
  )
  await user.type(screen.getByLabelText('Title'), 'Host')
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')
  if (!input) throw new Error('There is no file input')
  await user.upload(input, new File([new Uint8Array(10)], 'portrait', { type: 'image/jpeg' }))
  await user.click(screen.getByRole('button', { name: 'Create and Add Speaker' }))
  expect(screen.getByText(/the image was still being uploaded/)).toBeVisible()
  expect(saved).toHaveLength(0)

  finish()
  await screen.findByDisplayValue('/pictures/a1.jpg')
  await user.click(screen.getByRole('button', { name: 'Create and Add Speaker' }))
  await waitFor(() => {
    expect(saved).toMatchObject([{ name: 'Chi Roy', imageUrl: '/pictures/a1.jpg' }])
  })
})

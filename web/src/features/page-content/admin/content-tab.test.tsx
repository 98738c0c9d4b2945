import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import type { PageContent, SavePageContent } from '../../../api/types'
import { SavedInputOwner } from '../../../lib/saved-input'
import { renderComponent } from '../../../testing/render'
import { aRevisionServer } from '../../../testing/revision-server'
import { server } from '../../../testing/session'
import { ContentTab } from './content-tab'

const hero = (heroTitle: string, heroSubtitle: string, revision: number) =>
  ({ heroTitle, heroSubtitle, revision }) as PageContent

/** A fake API whose content another admin can change. */
function aContentServer() {
  const state = aRevisionServer<PageContent, SavePageContent>(
    '/api/page-content/home',
    hero('Evenings', 'About buildings.', 1),
    'This page was changed while you were editing it',
    (content, values) => ({ ...content, ...values }),
  )
  server.use(http.get('/api/page-content/home', () => HttpResponse.json(state.current)))
  return state
}

async function openForm() {
  const view = renderComponent(
    <SavedInputOwner value={1}>
      <ContentTab />
    </SavedInputOwner>,
    '/admin?tab=cms&content=new',
  )
  const title = await screen.findByLabelText('Title')
  await view.user.clear(title)
  return { ...view, title }
}

it('a failed save keeps the input and shows the reason', async () => {
  aContentServer()
  server.use(
    http.put('/api/page-content/home', () =>
      HttpResponse.json({ error: 'The storage is full.' }, { status: 503 }),
    ),
  )
  const { user, title } = await openForm()
  await user.type(title, 'Kept')
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  expect((await screen.findAllByText(/The storage is full\./))[0]).toBeVisible()
  expect(title).toHaveValue('Kept')
})

it('two admins who changed one field are asked about it only', async () => {
  const state = aContentServer()
  const { user, title } = await openForm()
  await user.type(title, 'My title')
  state.current = hero('Their title', 'Their subtitle', 2)
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  const dialog = within(await screen.findByRole('dialog', { name: /This page was changed/ }))
  expect(dialog.getByRole('group', { name: 'Title' })).toBeVisible()
  expect(dialog.queryByRole('group', { name: 'Subtitle' })).not.toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'Save This Version' }))
  await waitFor(() => {
    expect(state.current).toMatchObject({ heroTitle: 'My title', heroSubtitle: 'Their subtitle' })
  })
})

it('content that can’t be loaded can be requested again', async () => {
  server.use(http.get('/api/page-content/home', () => HttpResponse.json({}, { status: 503 })))
  const { user } = renderComponent(<ContentTab />, '/admin?tab=cms')
  expect(
    await screen.findByText('Failed to load page content', {}, { timeout: 5000 }),
  ).toBeVisible()
  aContentServer()
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  await waitFor(() => {
    expect(screen.getByRole('button', { name: 'Edit Content' })).toBeEnabled()
  })
})

import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it, vi } from 'vitest'
import { loadPage } from '../../lib/load-page'
import { renderSite } from '../../testing/render'
import { server, signIn } from '../../testing/session'

vi.mock('../../lib/load-page', () => ({ loadPage: vi.fn() }))

const expectRedirect = (href: string) =>
  waitFor(() => {
    expect(loadPage).toHaveBeenCalledWith(href, 'replace')
  })

it('redirects visitors to the sign-in page', async () => {
  renderSite('/auth')
  expect(await screen.findByRole('heading', { name: 'Checking authentication...' })).toBeVisible()
  await expectRedirect('/admin/login')
})

it('redirects admins to the portal', async () => {
  signIn()
  renderSite('/auth')
  await expectRedirect('/admin')
})

it('redirects to the sign-in page if the user can’t be loaded', async () => {
  server.use(http.get('/api/user', () => new HttpResponse(null, { status: 503 })))
  renderSite('/auth')
  await expectRedirect('/admin/login')
})

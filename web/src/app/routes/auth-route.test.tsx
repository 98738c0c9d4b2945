import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it, vi } from 'vitest'
import { leavePage } from '../../lib/leave-page'
import { renderSite } from '../../testing/render'
import { server, signIn } from '../../testing/session'

vi.mock('../../lib/leave-page', () => ({ leavePage: vi.fn() }))

const expectLeft = (href: string) =>
  waitFor(() => {
    expect(leavePage).toHaveBeenCalledWith(href, 'replace')
  })

it('sends visitors to sign in', async () => {
  renderSite('/auth')
  expect(await screen.findByRole('heading', { name: 'Checking authentication...' })).toBeVisible()
  await expectLeft('/admin/login')
})

it('sends admins on to the portal', async () => {
  signIn()
  renderSite('/auth')
  await expectLeft('/admin')
})

it('sends everybody to sign in while the server can’t say', async () => {
  server.use(http.get('/api/user', () => new HttpResponse(null, { status: 503 })))
  renderSite('/auth')
  await expectLeft('/admin/login')
})

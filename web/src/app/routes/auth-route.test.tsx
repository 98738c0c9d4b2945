import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it, vi } from 'vitest'
import { leavePage } from '../../lib/leave-page'
import { anAdmin } from '../../testing/factories'
import { renderSite } from '../../testing/render'
import { server } from '../../testing/server'

vi.mock('../../lib/leave-page', () => ({ leavePage: vi.fn() }))

it('sends visitors to sign in', async () => {
  renderSite('/auth')
  expect(screen.getByRole('heading', { name: 'Checking authentication...' })).toBeVisible()
  await waitFor(() => {
    expect(leavePage).toHaveBeenCalledWith('/admin/login')
  })
})

it('sends admins on to the portal', async () => {
  server.use(http.get('/api/user', () => HttpResponse.json(anAdmin())))
  renderSite('/auth')
  await waitFor(() => {
    expect(leavePage).toHaveBeenCalledWith('/admin')
  })
})

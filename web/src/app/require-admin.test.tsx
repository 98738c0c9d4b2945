import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import { anAdmin } from '../testing/factories'
import { renderSite } from '../testing/render'
import { server } from '../testing/server'

it('sends visitors from the portal to sign in', async () => {
  renderSite('/admin')
  expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeVisible()
  expect(window.location.pathname).toBe('/admin/login')
})

it('lets admins in', async () => {
  server.use(http.get('/api/user', () => HttpResponse.json(anAdmin())))
  renderSite('/admin')
  expect(await screen.findByRole('heading', { name: 'Admin Portal' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'View Calendar' })).toHaveAttribute('href', '/')
})

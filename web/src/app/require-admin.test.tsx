import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import { anAdmin } from '../testing/factories'
import { renderSite } from '../testing/render'
import { portalList } from '../testing/portal-list'
import { server } from '../testing/session'

it('redirects visitors to the sign-in page', async () => {
  renderSite('/admin')
  expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeVisible()
  expect(window.location.pathname + window.location.search).toBe('/admin/login')
})

it('passes the requested tab to the sign-in page', async () => {
  renderSite('/admin?tab=users')
  expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeVisible()
  expect(window.location.search).toBe('?next=%2Fadmin%3Ftab%3Dusers')
})

it('shows the portal to admins, even without the sign-in hint', async () => {
  server.use(
    http.get('/api/user', () => HttpResponse.json(anAdmin())),
    ...portalList(() => []),
    http.get('/api/speakers', () => HttpResponse.json([])),
  )
  renderSite('/admin')
  expect(await screen.findByRole('tab', { name: 'Events', selected: true })).toBeVisible()
  expect(screen.getByRole('link', { name: 'View Calendar' })).toHaveAttribute('href', '/')
})

it('shows nothing of the portal while the user loads', () => {
  const { container } = renderSite('/admin')
  expect(container).not.toHaveTextContent('Admin Portal')
  expect(screen.queryByRole('banner')).not.toBeInTheDocument()
})

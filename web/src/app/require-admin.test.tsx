import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import { anAdmin } from '../testing/factories'
import { renderSite } from '../testing/render'
import { server } from '../testing/session'

it('sends visitors from the portal to sign in', async () => {
  renderSite('/admin')
  expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeVisible()
  expect(window.location.pathname + window.location.search).toBe('/admin/login')
})

it('remembers which part of the portal they asked for', async () => {
  renderSite('/admin?tab=users')
  expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeVisible()
  expect(window.location.search).toBe('?next=%2Fadmin%3Ftab%3Dusers')
})

it('lets admins in, hint or no hint', async () => {
  server.use(
    http.get('/api/user', () => HttpResponse.json(anAdmin())),
    http.get('/api/events', () => HttpResponse.json([])),
    http.get('/api/events/hidden', () => HttpResponse.json([])),
    http.get('/api/speakers', () => HttpResponse.json([])),
  )
  renderSite('/admin')
  expect(await screen.findByRole('tab', { name: 'Events', selected: true })).toBeVisible()
  expect(screen.getByRole('link', { name: 'View Calendar' })).toHaveAttribute('href', '/')
})

it('paints nothing of the portal before it knows', () => {
  const { container } = renderSite('/admin')
  expect(container).not.toHaveTextContent('Admin Portal')
  expect(screen.queryByRole('banner')).not.toBeInTheDocument()
})

import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { loadPage } from '../../lib/load-page'
import { renderSite } from '../../testing/render'
import { signIn } from '../../testing/session'

vi.mock('../../lib/load-page', () => ({ loadPage: vi.fn() }))

beforeEach(() => {
  vi.mocked(loadPage).mockClear()
})

it('links to the portal and back to the events', async () => {
  renderSite('/login-help')
  expect(await screen.findByRole('link', { name: 'Go to Admin' })).toHaveAttribute('href', '/admin')
  expect(screen.getByRole('link', { name: 'Back to Events' })).toHaveAttribute('href', '/')
  expect(loadPage).not.toHaveBeenCalled()
})

it('redirects admins to the portal', async () => {
  signIn()
  renderSite('/login-help')
  await waitFor(() => {
    expect(loadPage).toHaveBeenCalledWith('/admin', 'replace')
  })
})

it('redirects to the portal after sign-in in the popup', async () => {
  const popup = { closed: false }
  const open = vi.spyOn(window, 'open').mockReturnValue(popup as Window)
  const { user } = renderSite('/login-help')
  await user.click(await screen.findByRole('button', { name: 'Login with Replit' }))
  expect(open).toHaveBeenCalledWith(
    '/api/auth/replit',
    'lectern-sign-in',
    expect.stringContaining('popup'),
  )

  signIn()
  popup.closed = true
  await waitFor(() => {
    expect(loadPage).toHaveBeenCalledWith('/admin', 'replace')
  })
})

it('opens the sign-in page in the same window if popups are blocked', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null)
  const { user } = renderSite('/login-help')
  await user.click(await screen.findByRole('button', { name: 'Login with Replit' }))
  expect(loadPage).toHaveBeenCalledWith('/api/auth/replit')
})

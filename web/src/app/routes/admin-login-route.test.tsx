import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { loadPage } from '../../lib/load-page'
import { anAdmin } from '../../testing/factories'
import { renderSite } from '../../testing/render'
import { portalList } from '../../testing/portal-list'
import { holdResponse, server, signIn } from '../../testing/session'

vi.mock('../../lib/load-page', () => ({ loadPage: vi.fn() }))

beforeEach(() => {
  vi.mocked(loadPage).mockClear()
})

const respond = (status: number, body: object, released = Promise.resolve()) => {
  server.use(
    http.post('/api/auth/login', async () => {
      await released
      return HttpResponse.json(body, { status })
    }),
  )
}

async function signInAt(path = '/admin/login', site = {}) {
  const { user } = renderSite(path, { site })
  await user.type(await screen.findByLabelText('Email'), 'admin@example.com')
  await user.type(screen.getByLabelText('Password'), 'correct horse')
  await user.click(screen.getByRole('button', { name: 'Sign In' }))
  return user
}

const expectRedirect = (href: string) =>
  waitFor(
    () => {
      expect(loadPage).toHaveBeenCalledWith(href, 'replace')
    },
    { timeout: 2000 },
  )

describe('signing in', () => {
  it('shows its progress and redirects to the portal', async () => {
    const { released, release } = holdResponse()
    respond(200, anAdmin(), released)
    await signInAt()
    expect(screen.getByRole('button', { name: 'Signing in...' })).toBeDisabled()
    release()
    expect(await screen.findByText('Login successful')).toBeVisible()
    expect(screen.getByText('Redirecting to admin panel...')).toBeVisible()
    await expectRedirect('/admin')
  })

  it('continues to show the message in the portal', async () => {
    respond(200, anAdmin())
    const user = await signInAt()
    await expectRedirect('/admin')
    fireEvent(window, new Event('pagehide'))
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    cleanup()

    signIn()
    server.use(
      ...portalList(() => []),
      http.get('/api/speakers', () => HttpResponse.json([])),
    )
    renderSite('/admin')
    expect(await screen.findByText('Redirecting to admin panel...')).toBeVisible()
    expect(screen.getByRole('tab', { name: 'Events' })).toBeVisible()
  })

  it('returns to the requested page of the portal', async () => {
    respond(200, anAdmin())
    await signInAt('/admin/login?next=%2Fadmin%3Ftab%3Dusers')
    await expectRedirect('/admin?tab=users')
  })

  it('never redirects to another site', async () => {
    respond(200, anAdmin())
    await signInAt('/admin/login?next=https%3A%2F%2Fevil.example%2Fadmin')
    await expectRedirect('/admin')
  })

  it('redirects signed-in admins without showing the form', async () => {
    signIn()
    renderSite('/admin/login')
    await expectRedirect('/admin')
    expect(screen.queryByLabelText('Email')).not.toBeInTheDocument()
  })
})

describe('a failed sign-in', () => {
  it('shows validation errors and focuses the first invalid field', async () => {
    const { user } = renderSite('/admin/login')
    await user.click(await screen.findByRole('button', { name: 'Sign In' }))
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Email is required')
    expect(screen.getByLabelText('Email')).toHaveFocus()
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Password is required')

    await user.type(screen.getByLabelText('Email'), 'admin@example')
    await user.type(screen.getByLabelText('Password'), 'x{Enter}')
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(
      'Please enter a valid email address',
    )
    expect(screen.getByLabelText('Password')).not.toBeInvalid()
  })

  it('retains the input and shows the server’s message', async () => {
    respond(401, { error: 'Invalid email or password' })
    await signInAt()
    expect(await screen.findByText('Invalid email or password')).toBeVisible()
    expect(screen.getByLabelText('Email')).toHaveValue('admin@example.com')
    expect(screen.getByLabelText('Password')).toHaveValue('correct horse')
    expect(screen.getByLabelText('Password')).toHaveFocus()
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeEnabled()
    expect(loadPage).not.toHaveBeenCalled()
  })

  it('shows how long to wait after too many attempts', async () => {
    respond(429, { error: 'Too many attempts. Please try again in 40 seconds.' })
    await signInAt()
    expect(
      await screen.findByText('Too many attempts. Please try again in 40 seconds.'),
    ).toBeVisible()
    expect(screen.getByRole('button', { name: 'Sign In' })).toHaveFocus()
  })

  it('shows the server’s validation error at its field', async () => {
    const error = 'Password must be 128 characters or less'
    respond(400, { error, fields: { password: error } })
    await signInAt()
    await waitFor(() => {
      expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(error)
    })
    expect(screen.getByLabelText('Password')).toHaveFocus()
    expect(screen.getAllByText(error)).toHaveLength(1)
  })
})

describe('in the popup of /login-help', () => {
  const path = '/admin/login?from=replit'
  const message = 'Replit sign-in is turned off on this site'

  it('shows that Replit sign-in is turned off, and redirects to /auth-success', async () => {
    respond(200, anAdmin())
    await signInAt(path)
    expect(screen.getByText(message)).toBeVisible()
    await expectRedirect('/auth-success')
  })

  it('shows no message if Replit sign-in is turned on', async () => {
    renderSite(path, { site: { replitLogin: true } })
    expect(await screen.findByLabelText('Email')).toBeVisible()
    expect(screen.queryByText(message)).not.toBeInTheDocument()
  })
})

describe('a site without accounts', () => {
  const command = 'lectern create-admin --email you@example.com'

  it('says how to create the first one', async () => {
    renderSite('/admin/login', { site: { needsAdmin: true } })
    expect(await screen.findByText(command)).toBeVisible()
  })

  it('says nothing of this where there is an account', async () => {
    renderSite('/admin/login')
    expect(await screen.findByRole('button', { name: 'Sign In' })).toBeVisible()
    expect(screen.queryByText(command)).not.toBeInTheDocument()
  })
})

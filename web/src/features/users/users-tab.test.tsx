import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { SavedInputOwner } from '../../lib/saved-input'
import { anAdmin } from '../../testing/factories'
import { renderComponent } from '../../testing/render'
import { server } from '../../testing/session'
import { UsersTab } from './users-tab'

const users = () => http.get('/api/users', () => HttpResponse.json([anAdmin()]))

beforeEach(() => {
  server.use(users())
})

/** Opens the tab, or its form for a new user. */
function show(search = '&user=new') {
  return renderComponent(
    <SavedInputOwner value={1}>
      <UsersTab me={anAdmin()} onSignIn={vi.fn()} />
    </SavedInputOwner>,
    `/admin?tab=users${search}`,
  )
}

const field = (name: string) => screen.getByLabelText(name)
const create = () => screen.getByRole('button', { name: 'Create User' })

it('a failed save keeps the input', async () => {
  server.use(http.post('/api/users', () => new HttpResponse(null, { status: 503 })))
  const { user } = show()
  await user.type(field('Email'), 'carl@example.com')
  await user.type(field('Password'), 'another password')
  await user.click(create())
  expect(await screen.findByText('Failed to save user. Please try again.')).toBeVisible()
  expect(field('Password')).toHaveValue('another password')
})

it('says that a user was deleted in the meantime', async () => {
  const stored = anAdmin()
  server.use(
    http.get('/api/users', () => HttpResponse.json([stored])),
    http.put('/api/users/:id', () =>
      HttpResponse.json({ error: 'User not found' }, { status: 404 }),
    ),
  )
  const { user } = show(`&user=${stored.id}`)
  await user.type(await screen.findByLabelText(/^Password/), 'another password')
  await user.click(screen.getByRole('button', { name: 'Update User' }))
  expect(await screen.findByText('This user has been deleted.')).toBeVisible()
  expect(screen.queryByText('Failed to save user. Please try again.')).not.toBeInTheDocument()
})

it('an email in use is reported at its field', async () => {
  const fields = { email: 'A user with this email already exists' }
  server.use(
    http.post('/api/users', () =>
      HttpResponse.json({ error: fields.email, fields }, { status: 409 }),
    ),
  )
  const { user } = show()
  await user.type(field('Email'), 'BEA@EXAMPLE.COM')
  await user.type(field('Password'), 'a fine password')
  await user.click(create())
  await waitFor(() => {
    expect(field('Email')).toHaveAccessibleDescription(fields.email)
  })
  expect(field('Email')).toHaveFocus()
})

it('an error stays until it is corrected, and the password is never kept', async () => {
  const { user } = show()
  await user.type(field('Email'), 'dana')
  await user.type(field('Password'), 'short')
  await user.click(create())
  await user.type(field('Email'), '@example')
  expect(field('Email')).toHaveAccessibleDescription('Please enter a valid email address')
  await user.type(field('Email'), '.com')
  expect(field('Email')).not.toHaveAccessibleDescription('Please enter a valid email address')
  await user.type(field('Password'), 'er')
  expect(field('Password')).toHaveAccessibleDescription(/Password must be at least 8 characters/)
  await user.type(field('Password'), '!')
  expect(field('Password')).not.toHaveAccessibleDescription(/must be at least/)
  await waitFor(() => {
    expect(JSON.stringify(localStorage)).toContain('dana@example.com')
  })
  expect(JSON.stringify(localStorage)).not.toContain('shorter!')
})

it('users that can’t be loaded can be requested again', async () => {
  server.use(http.get('/api/users', () => HttpResponse.json({}, { status: 503 })))
  const { user } = show('')
  expect(await screen.findByText('Unable to load users', {}, { timeout: 5000 })).toBeVisible()
  server.use(users())
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('rowheader', { name: /admin@example\.com/ })).toBeVisible()
})

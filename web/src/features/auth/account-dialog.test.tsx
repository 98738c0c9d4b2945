import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { renderComponent } from '../../testing/render'
import { server, signIn } from '../../testing/session'
import { AdminHeader } from './admin-header'
import { userQuery } from './api'

let sent: unknown

beforeEach(() => {
  signIn()
  sent = undefined
})

const respond = (status: number, body: object) => {
  server.use(
    http.put('/api/user/password', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json(body, { status })
    }),
  )
}

/** Opens the dialog by the header's button. */
async function openAccount() {
  const { user, queryClient } = renderComponent(
    <AdminHeader siteName="EM Events" logoUrl={null} homeHref="/" />,
  )
  await queryClient.query(userQuery({ mustFetch: true }))
  await user.click(screen.getByRole('button', { name: 'Account' }))
  return { user, dialog: await screen.findByRole('dialog', { name: 'Your Account' }) }
}

async function submit({ user }: Awaited<ReturnType<typeof openAccount>>) {
  await user.type(screen.getByLabelText('Current password'), 'a fine password')
  await user.type(screen.getByLabelText('New password'), 'an even finer one')
  await user.click(screen.getByRole('button', { name: 'Change Password' }))
}

it('changes the password, says how many sessions ended, and closes', async () => {
  respond(200, { endedSessions: 2 })
  const opened = await openAccount()
  expect(opened.dialog).toHaveTextContent('You are signed in as admin@example.com.')
  await submit(opened)
  const sentence = 'Password changed successfully. 2 other sessions have ended.'
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(sent).toEqual({ currentPassword: 'a fine password', newPassword: 'an even finer one' })
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Account' })).toHaveFocus()
})

it('shows the server’s messages at the fields and keeps the input', async () => {
  const message = 'The current password is wrong'
  respond(400, { error: message, fields: { currentPassword: message } })
  await submit(await openAccount())
  const field = screen.getByLabelText('Current password')
  await waitFor(() => {
    expect(field).toHaveFocus()
  })
  expect(field).toHaveAccessibleDescription(message)
  expect(screen.getByLabelText('New password')).toHaveValue('an even finer one')
})

it('says how long to wait after too many attempts', async () => {
  const message = 'Too many attempts. Please try again in 12 seconds.'
  respond(429, { error: message })
  await submit(await openAccount())
  expect(await screen.findByText(message)).toBeVisible()
})

it.each([
  [0, 'You were signed in nowhere else.'],
  [1, 'One other session has ended.'],
  [3, '3 other sessions have ended.'],
])('signs out everywhere else and says that of %i sessions', async (endedSessions, sentence) => {
  server.use(http.delete('/api/user/other-sessions', () => HttpResponse.json({ endedSessions })))
  const { user } = await openAccount()
  await user.click(screen.getByRole('button', { name: 'Sign Out Everywhere Else' }))
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(screen.getByRole('dialog')).toBeVisible()
})

it('says that signing out everywhere else failed', async () => {
  server.use(http.delete('/api/user/other-sessions', () => HttpResponse.error()))
  const { user } = await openAccount()
  await user.click(screen.getByRole('button', { name: 'Sign Out Everywhere Else' }))
  expect(await screen.findByText('Failed to end your other sessions')).toBeVisible()
})

import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it, vi } from 'vitest'
import { renderSite } from '../../testing/render'
import { server, signIn } from '../../testing/session'

const problem = 'The backup fails; the last good one is too old: 2026-11-02 03:00 UTC'

it('admins read on every tab that the backup fails, until it succeeds', async () => {
  signIn()
  let problems = [problem]
  server.use(
    http.get('/api/server-problems', () => HttpResponse.json({ problems })),
    http.get('/api/users', () => HttpResponse.json([])),
  )
  const { user } = renderSite('/admin?tab=analytics')
  const alert = await screen.findByText(`${problem}.`)
  expect(alert.closest('[role="alert"]')).toBeVisible()
  const tabs = screen.getByRole('tablist')
  expect(alert.compareDocumentPosition(tabs)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)

  problems = []
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000)
  await user.click(screen.getByRole('tab', { name: 'Users' }))
  await waitFor(() => {
    expect(screen.queryByText(`${problem}.`)).not.toBeInTheDocument()
  })
})

it('without problems there is no alert', async () => {
  signIn()
  const onRequest = vi.fn()
  server.use(
    http.get('/api/server-problems', () => {
      onRequest()
      return HttpResponse.json({ problems: [] })
    }),
  )
  renderSite('/admin?tab=analytics')
  await waitFor(() => {
    expect(onRequest).toHaveBeenCalled()
  })
  expect(screen.queryByText(/backup/)).not.toBeInTheDocument()
})

import { act, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { leavePage } from '../../lib/leave-page'
import { anAdmin } from '../../testing/factories'
import { renderSite } from '../../testing/render'
import { server } from '../../testing/server'

vi.mock('../../lib/leave-page', () => ({ leavePage: vi.fn() }))

const asked = vi.fn()

/** Nobody is signed in until the call of this number. */
function signedInAt(call: number) {
  server.use(
    http.get('/api/user', () => {
      asked()
      return asked.mock.calls.length < call
        ? HttpResponse.json({ error: 'Not authenticated' }, { status: 401 })
        : HttpResponse.json(anAdmin())
    }),
  )
}

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))

beforeEach(() => {
  asked.mockClear()
  vi.mocked(leavePage).mockClear()
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval'] })
})

afterEach(() => {
  vi.useRealTimers()
})

it('goes on to the portal as soon as somebody is signed in', async () => {
  signedInAt(3)
  renderSite('/auth-success')
  expect(await screen.findByRole('heading', { name: 'Completing Authentication...' })).toBeVisible()
  await vi.waitFor(() => {
    expect(asked).toHaveBeenCalledTimes(1)
  })
  await pass(1)
  expect(leavePage).not.toHaveBeenCalled()
  await pass(1)
  await vi.waitFor(() => {
    expect(leavePage).toHaveBeenCalledWith('/admin', 'replace')
  })
  await pass(5)
  expect(asked).toHaveBeenCalledTimes(3)
})

it('gives up after ten attempts and offers two ways on', async () => {
  signedInAt(Infinity)
  renderSite('/auth-success')
  await screen.findByRole('heading', { name: 'Completing Authentication...' })
  for (let second = 0; second < 9; second += 1) await pass(1)
  expect(screen.queryByRole('link', { name: 'Go to Admin' })).not.toBeInTheDocument()
  await pass(4)
  expect(asked).toHaveBeenCalledTimes(10)
  expect(screen.getByRole('link', { name: 'Go to Admin' })).toHaveAttribute('href', '/admin')
  expect(screen.getByRole('link', { name: /try again/i })).toHaveAttribute('href', '/admin/login')
  expect(leavePage).not.toHaveBeenCalled()
})

it('closes the popup that it is in', async () => {
  const close = vi.spyOn(window, 'close').mockReturnValue()
  vi.stubGlobal('opener', { closed: false })
  window.name = 'lectern-sign-in'
  signedInAt(1)
  renderSite('/auth-success')
  await vi.waitFor(() => {
    expect(close).toHaveBeenCalled()
  })
  expect(leavePage).not.toHaveBeenCalled()
  window.name = ''
})

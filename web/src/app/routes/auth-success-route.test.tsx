import { act, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { leavePage } from '../../lib/leave-page'
import { anAdmin } from '../../testing/factories'
import { renderSite } from '../../testing/render'
import { server } from '../../testing/session'

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

/** Lets seconds pass until so many attempts have been made. */
const advanceToRequest = (times: number) =>
  vi.waitFor(async () => {
    if (asked.mock.calls.length < times) await pass(1)
    expect(asked).toHaveBeenCalledTimes(times)
  })

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
  await advanceToRequest(2)
  expect(leavePage).not.toHaveBeenCalled()
  await advanceToRequest(3)
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
  await advanceToRequest(10)
  expect(screen.queryByRole('link', { name: 'Go to Admin' })).not.toBeInTheDocument()
  const go = await vi.waitFor(async () => {
    await pass(1)
    return screen.getByRole('link', { name: 'Go to Admin' })
  })
  expect(asked).toHaveBeenCalledTimes(10)
  expect(go).toHaveAttribute('href', '/admin')
  expect(screen.getByRole('link', { name: /try again/i })).toHaveAttribute('href', '/admin/login')
  expect(leavePage).not.toHaveBeenCalled()
})

it('waits for a slow answer before it asks again', async () => {
  let answer: (() => void) | undefined
  const late = new Promise<void>((resolve) => {
    answer = resolve
  })
  server.use(
    http.get('/api/user', async () => {
      asked()
      if (asked.mock.calls.length === 1) await late
      return HttpResponse.json({ error: 'Not authenticated' }, { status: 401 })
    }),
  )
  renderSite('/auth-success')
  await advanceToRequest(1)
  for (let second = 0; second < 5; second += 1) await pass(1)
  expect(asked).toHaveBeenCalledTimes(1)
  answer?.()
  await advanceToRequest(2)
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

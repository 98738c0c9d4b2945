import { act, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadPage } from '../../lib/load-page'
import { anAdmin } from '../../testing/factories'
import { renderSite } from '../../testing/render'
import { server } from '../../testing/session'

vi.mock('../../lib/load-page', () => ({ loadPage: vi.fn() }))

const onRequest = vi.fn()

/** Responds 401 until the request with this number. */
function signInAtRequest(number: number) {
  server.use(
    http.get('/api/user', () => {
      onRequest()
      return onRequest.mock.calls.length < number
        ? HttpResponse.json({ error: 'Not authenticated' }, { status: 401 })
        : HttpResponse.json(anAdmin())
    }),
  )
}

const advance = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))

/** Advances the clock until the request with this number. */
const advanceToRequest = (number: number) =>
  vi.waitFor(async () => {
    if (onRequest.mock.calls.length < number) await advance(1)
    expect(onRequest).toHaveBeenCalledTimes(number)
  })

beforeEach(() => {
  onRequest.mockClear()
  vi.mocked(loadPage).mockClear()
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval'] })
})

afterEach(() => {
  vi.useRealTimers()
})

it('redirects to the portal as soon as the session exists', async () => {
  signInAtRequest(3)
  renderSite('/auth-success')
  expect(await screen.findByRole('heading', { name: 'Completing Authentication...' })).toBeVisible()
  await advanceToRequest(2)
  expect(loadPage).not.toHaveBeenCalled()
  await advanceToRequest(3)
  await vi.waitFor(() => {
    expect(loadPage).toHaveBeenCalledWith('/admin', 'replace')
  })
  await advance(5)
  expect(onRequest).toHaveBeenCalledTimes(3)
})

it('stops after ten attempts and offers two links', async () => {
  signInAtRequest(Infinity)
  renderSite('/auth-success')
  await screen.findByRole('heading', { name: 'Completing Authentication...' })
  await advanceToRequest(10)
  expect(screen.queryByRole('link', { name: 'Go to Admin' })).not.toBeInTheDocument()
  const go = await vi.waitFor(async () => {
    await advance(1)
    return screen.getByRole('link', { name: 'Go to Admin' })
  })
  expect(onRequest).toHaveBeenCalledTimes(10)
  expect(go).toHaveAttribute('href', '/admin')
  expect(screen.getByRole('link', { name: /try again/i })).toHaveAttribute('href', '/admin/login')
  expect(loadPage).not.toHaveBeenCalled()
})

it('waits for a slow response before the next request', async () => {
  let respond: (() => void) | undefined
  const delayed = new Promise<void>((resolve) => {
    respond = resolve
  })
  server.use(
    http.get('/api/user', async () => {
      onRequest()
      if (onRequest.mock.calls.length === 1) await delayed
      return HttpResponse.json({ error: 'Not authenticated' }, { status: 401 })
    }),
  )
  renderSite('/auth-success')
  await advanceToRequest(1)
  for (let second = 0; second < 5; second += 1) await advance(1)
  expect(onRequest).toHaveBeenCalledTimes(1)
  respond?.()
  await advanceToRequest(2)
})

it('closes its popup', async () => {
  const close = vi.spyOn(window, 'close').mockReturnValue()
  vi.stubGlobal('opener', { closed: false })
  window.name = 'lectern-sign-in'
  signInAtRequest(1)
  renderSite('/auth-success')
  await vi.waitFor(() => {
    expect(close).toHaveBeenCalled()
  })
  expect(loadPage).not.toHaveBeenCalled()
  window.name = ''
})

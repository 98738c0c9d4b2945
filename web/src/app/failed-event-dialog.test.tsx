import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadPage } from '../lib/load-page'
import { anEvent, homeData } from '../testing/factories'
import { renderSite } from '../testing/render'
import { server } from '../testing/session'

vi.mock('./page-event-dialog', () => {
  throw new Error('The chunk failed to load')
})
vi.mock('../lib/load-page', () => ({ loadPage: vi.fn() }))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 2, 5, 12, 0) })
})

afterEach(() => {
  vi.useRealTimers()
})

const event = anEvent({ date: '2026-03-10', title: 'First five deals' })

it('an event whose dialog fails to load leaves the page as it is, then opens as a page', async () => {
  server.use(http.head(event.path, () => new HttpResponse()))
  const { user } = renderSite(`/?event=${event.id}`, {
    home: { ...homeData(event), events: [event] },
  })
  expect(await screen.findByText('The event could not be opened. Please try again.')).toBeVisible()
  await waitFor(() => {
    expect(window.location.search).toBe('')
  })
  expect(screen.getByRole('heading', { level: 1 })).toBeVisible()
  expect(loadPage).not.toHaveBeenCalled()

  await user.click(await screen.findByRole('link', { name: /^First five deals, / }))
  await waitFor(() => {
    expect(loadPage).toHaveBeenCalledExactlyOnceWith(event.path)
  })
})

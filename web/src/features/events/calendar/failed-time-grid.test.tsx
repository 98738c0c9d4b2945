import { screen, waitFor } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { reloadPage } from '../../../components/load-failure'
import { anEvent } from '../../../testing/factories'
import { renderComponent } from '../../../testing/render'
import { server } from '../../../testing/session'
import { CalendarCard } from './calendar-card'

vi.mock('./time-grid', () => {
  throw new Error('The chunk failed to load')
})
vi.mock('../../../components/load-failure', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  reloadPage: vi.fn(),
}))

beforeEach(() => {
  vi.mocked(reloadPage).mockClear()
})

const listEvents = () => HttpResponse.json([anEvent({ date: '2026-03-12' })])

function showCalendar(path: string, respond: () => Response | Promise<Response> = listEvents) {
  server.use(http.get('/api/events', respond))
  return renderComponent(
    <section tabIndex={-1}>
      <CalendarCard headingLevel={2} onOpen={vi.fn()} onPreload={vi.fn()} />
    </section>,
    path,
  )
}

const button = (name: string) => screen.getByRole('button', { name })

function expectMarch() {
  expect(screen.getByRole('table', { name: 'March 2026' })).toBeVisible()
  expect(screen.getByRole('link', { name: /, Thursday, March 12, / })).toBeVisible()
  expect(button('Month')).toHaveAttribute('aria-pressed', 'true')
}

it('leaves the month, and keeps the focus on Try Again, also after a reload that failed', async () => {
  const { user, unmount } = showCalendar('/calendar?month=2026-03')
  await screen.findByRole('link', { name: /, Thursday, March 12, / })
  await user.click(button('Week'))
  expect(await screen.findByText('Unable to load the week')).toBeVisible()
  expectMarch()

  await user.click(button('Try Again'))
  await waitFor(() => {
    expect(reloadPage).toHaveBeenCalledOnce()
  })
  expect(button('Try Again')).toHaveFocus()
  expectMarch()
  unmount()

  // The reload focuses the section.
  const { container } = showCalendar('/calendar?view=week&day=2026-03-01')
  container.querySelector('section')?.focus()
  await screen.findByText('Unable to load the week')
  await waitFor(() => {
    expect(button('Try Again')).toHaveFocus()
  })
  expectMarch()
})

it('takes the focus from nothing else', async () => {
  const { user } = showCalendar('/calendar?month=2026-03')
  await screen.findByRole('link', { name: /, Thursday, March 12, / })
  await user.click(button('Week'))
  await screen.findByText('Unable to load the week')
  expect(button('Week')).toHaveFocus()
  await user.click(screen.getByRole('link', { name: 'Next month' }))
  expect(screen.getByRole('heading', { name: 'April 2026' })).toBeVisible()
  expect(screen.queryByText('Unable to load the week')).not.toBeInTheDocument()
})

it('shows one alert after an outage, whose button retries the week too', async () => {
  const { user } = showCalendar('/calendar?view=week&day=2026-03-09', async () => {
    // Later than the code.
    await delay(200)
    return new HttpResponse(null, { status: 503 })
  })
  expect(await screen.findByText('Unable to load events')).toBeVisible()
  expect(screen.queryByText('Unable to load the week')).not.toBeInTheDocument()
  server.use(
    http.get('/api/events', async () => {
      await delay(200)
      return listEvents()
    }),
  )
  await user.click(button('Try Again'))
  await waitFor(() => {
    expect(reloadPage).toHaveBeenCalledOnce()
  })
  expect(await screen.findByText('Unable to load the week')).toBeVisible()
  expect(screen.queryByText('Unable to load events')).not.toBeInTheDocument()
  expect(button('Try Again')).toHaveFocus()
  expectMarch()
})

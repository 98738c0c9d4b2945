import type { Page } from '@playwright/test'
import { addWebinar } from './support/event-data.ts'
import { open } from './support/page.ts'
import { expect, expectToast, test } from './support/test.ts'

test.use({ data: 'empty' })

const page = /\/events\/\d+-a-lost-chunk$/

/** Opens the event's screen from the search, without a page load. */
async function openEvent(current: Page) {
  await current.keyboard.press('/')
  const field = current.getByRole('combobox', { name: 'Search events' })
  await field.fill('lost chunk')
  await expect(current.getByRole('option', { name: /A lost chunk/ })).toBeVisible()
  await field.press('Enter')
}

test.beforeEach(async ({ adminApi }) => {
  const events = (await (await adminApi.get('/api/events')).json()) as unknown[]
  if (events.length === 0) await addWebinar(adminApi, 'A lost chunk')
})

test('a screen that does not arrive leaves the page as it is, and can be tried again', async ({
  page: current,
  quietConsole,
}) => {
  quietConsole.expectProblem(/ERR_FAILED|A screen could not be loaded/)
  await open(current, '/calendar')
  await current.route('**/assets/event-route-*.js', (route) => route.abort())
  await current.route(page, (route) => route.abort())
  await openEvent(current)
  await expectToast(current, 'The page could not be opened. Please try again.')
  await expect(current).toHaveURL(/\/calendar$/)
  await expect(current.getByRole('heading', { name: 'Events Calendar' })).toBeVisible()

  await current.unroute('**/assets/event-route-*.js')
  await current.unroute(page)
  await openEvent(current)
  await expect(current).toHaveURL(page)
  await expect(current.getByRole('heading', { level: 1, name: 'A lost chunk' })).toBeVisible()
})

test('a screen that only a newer release has is opened as a page', async ({
  page: current,
  quietConsole,
}) => {
  quietConsole.expectProblem(/404|MIME type|A screen could not be loaded/)
  await open(current, '/calendar')
  const older = { status: 404, contentType: 'text/html', body: '' }
  await current.route('**/assets/event-route-*.js', (route) => route.fulfill(older), { times: 1 })
  await openEvent(current)
  await expect(current).toHaveURL(page)
  await expect(current.getByRole('heading', { level: 1, name: 'A lost chunk' })).toBeVisible()
})

test('an event whose dialog does not arrive leaves the calendar as it is', async ({
  page: current,
  quietConsole,
}) => {
  quietConsole.expectProblem(/ERR_FAILED/)
  const [event] = (await (await current.request.get('/api/events')).json()) as { id: number }[]
  await current.route('**/assets/page-event-dialog-*.js', (route) => route.abort())
  await open(current, `/calendar?event=${String(event?.id)}`)
  await expectToast(current, 'The event could not be opened. Please try again.')
  await expect(current.getByRole('heading', { name: 'Events Calendar' })).toBeVisible()
})

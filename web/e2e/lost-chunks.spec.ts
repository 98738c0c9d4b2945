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
  quietConsole.expectProblem(/ERR_FAILED|A route could not be loaded/)
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
  quietConsole.expectProblem(/404|MIME type|A route could not be loaded/)
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

// Browsers do not request a chunk again that failed, so the second attempt is a page load.
test('what did not arrive works when it is tried again', async ({
  page: current,
  quietConsole,
}) => {
  quietConsole.expectProblem(/ERR_FAILED/)
  const lost = '**/assets/{search-dialog,time-grid}-*.js'
  await current.route(lost, (route) => route.abort())
  await open(current, '/calendar')
  await current.getByRole('button', { name: 'Week' }).click()
  const problem = current.getByRole('alert').filter({ hasText: 'Unable to load the week' })
  await expect(problem).toBeVisible()
  await current.getByRole('link', { name: 'Search events' }).click()
  await expectToast(current, 'The search could not be opened. Please try again.')

  await current.unroute(lost)
  await problem.getByRole('button', { name: 'Try Again' }).click()
  await expect(current.getByRole('button', { name: 'Week' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(problem).toBeHidden()
  await current.getByRole('link', { name: 'Search events' }).click()
  await expect(current.getByRole('combobox', { name: 'Search events' })).toBeVisible()
})

test('a page whose script did not arrive loads again when a button is pressed', async ({
  page: current,
  quietConsole,
}) => {
  quietConsole.expectProblem(/ERR_FAILED/)
  const script = '**/assets/index-*.js'
  await current.route(script, (route) => route.abort())
  await current.goto('/calendar')
  await current.unroute(script)
  await current.getByRole('button', { name: 'Week' }).click()
  await current.waitForEvent('load')
  await current.getByRole('button', { name: 'Week' }).click()
  await expect(current).toHaveURL(/view=week/)
})

const earlyChoices = {
  'type=Special': (current: Page) =>
    current.getByRole('combobox', { name: 'Event type' }).selectOption('Special'),
  'view=week': (current: Page) => current.getByRole('button', { name: 'Week' }).click(),
}
for (const [parameter, choose] of Object.entries(earlyChoices)) {
  test(`before the script is there I choose ${parameter}`, async ({ page: current }) => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await current.route('**/assets/{index,lazy-sections}-*.js', async (route) => {
      await held
      await route.continue()
    })
    await current.goto('/calendar', { waitUntil: 'commit' })
    await choose(current)
    release()
    await expect(current).toHaveURL(new RegExp(parameter))
  })
}

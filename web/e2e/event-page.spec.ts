import type { CalendarEvent } from '../src/api/types.ts'
import { observeLayoutShifts } from './support/measure.ts'
import {
  cacheFont,
  expectAccessibleAtEveryWidth,
  expectAccessibleEverywhere,
  open,
  showMonthOfDay,
  waitForReact,
  waitUntilSettled,
} from './support/page.ts'
import { addInPersonEvent, addWebinar } from './support/event-data.ts'
import { signIn } from './support/portal.ts'
import { expect, expectToast, test } from './support/test.ts'

test.use({ data: 'empty' })
test.describe.configure({ mode: 'serial' })

const inPerson = 'Property walk & dinner'
const online = 'Reading an operating agreement'
const paths: Record<string, string> = {}

test('I read all about an event on a page of its own', async ({ page, adminApi }) => {
  await addWebinar(adminApi, online)
  await addInPersonEvent(adminApi, inPerson)
  const events = (await (await page.request.get('/api/events')).json()) as {
    title: string
    path: string
  }[]
  for (const { title, path } of events) paths[title] = path

  await open(page, paths[online] ?? '')
  await expect(page.getByRole('heading', { level: 1, name: online })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^${online}`))
  await expect(page.getByText(/at 6:00 PM MT/)).toBeVisible()
  await expect(page.getByText('Your time')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Featured Speakers' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Register Now/ })).toBeVisible()
  await page.getByRole('link', { name: 'Back to the calendar' }).click()
  await expect(page).toHaveURL(/\/calendar$/)
})

test('I plan to attend on the page of an event', async ({ page }) => {
  await open(page, paths[inPerson] ?? '')
  await expect(page.getByText('4400 North 64th Street')).toBeVisible()
  await page.getByRole('button', { name: 'Planning to Attend' }).click()
  await expect(page.getByText('1 investor attending')).toBeVisible()
  await page.getByText('Open in Maps').click()
  await expect(page.getByRole('link', { name: /^Open in Google Maps/ })).toBeVisible()
})

test('without scripts I plan to attend, see it, change my mind, and open a map', async ({
  browser,
  lectern,
}) => {
  const context = await browser.newContext({ baseURL: lectern.url, javaScriptEnabled: false })
  const page = await context.newPage()
  for (const start of ['/', paths[inPerson] ?? '']) {
    await page.goto(start)
    await page.getByRole('button', { name: 'Planning to Attend' }).click()
    await expect(page).toHaveURL(`${paths[inPerson] ?? ''}/attendance`)
    await expect(page.getByText('2 investors attending')).toBeVisible()
    await page.getByRole('button', { name: "Can't Attend" }).click()
    await expect(page.getByText('1 investor attending')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Planning to Attend' })).toBeVisible()
  }
  const map = page.locator('summary + div').getByRole('link', { name: /^Open in Google Maps/ })
  await expect(map).toBeHidden()
  await page.getByText('Open in Maps').click()
  await expect(map).toBeVisible()
  await context.close()
})

test('my attendance from before the script has loaded is what the page shows after it', async ({
  page,
}) => {
  let release: (() => void) | undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(paths[inPerson] ?? '', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Planning to Attend' }).click()
  await expect(page).toHaveURL(/\/attendance$/)
  await expect(page.getByText('2 investors attending')).toBeVisible()
  release?.()
  await waitForReact(page)
  await page.getByRole('button', { name: "Can't Attend" }).click()
  await expectToast(page, 'Interest Removed')
  await expect(page.getByText('1 investor attending')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Planning to Attend' })).toBeVisible()
})

test('I share the URL of the page, from the page and from the dialog', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await open(page, paths[inPerson] ?? '')
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  expect(await copied()).toBe(`${baseURL ?? ''}${paths[inPerson] ?? ''}`)

  await open(page, '/calendar')
  await showMonthOfDay(page, 1)
  await page.getByRole('link', { name: new RegExp(`^${online}`) }).click()
  const dialog = page.getByRole('dialog', { name: online })
  await dialog.getByRole('button', { name: 'Share' }).click()
  await expect(dialog.getByText('Link copied')).toBeVisible()
  expect(await copied()).toBe(`${baseURL ?? ''}${paths[online] ?? ''}`)
  await expect(page).toHaveURL(/\?(month=\d{4}-\d\d&)?event=\d+$/)
})

test('an unknown event shows that the page was not found', async ({ page, consoleMessages }) => {
  consoleMessages.allow(/404 .*\/events\/4711$/)
  const response = await page.goto('/events/4711')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('there is no layout shift while the page of an event starts', async ({ page }) => {
  const layoutShift = await observeLayoutShifts(page)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const title of [online, inPerson]) {
      await open(page, paths[title] ?? '')
      await waitUntilSettled(page)
      expect(await layoutShift()).toBeLessThan(0.005)
    }
  }
})

test('no time is shown as mine before the script knows my zone', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_FAILED/)
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto(paths[online] ?? '')
  await expect(page.getByText(/at 6:00 PM MT/)).toBeVisible()
  await expect(page.getByText('Your time')).toBeAttached()
  await expect(page.getByText('Your time')).toBeHidden()
  await expect(page.getByText('6:00 PM MT', { exact: true })).toBeHidden()
})

test('nothing moves while the pages of an event load for an admin', async ({ page, adminApi }) => {
  await signIn(page, adminApi)
  await cacheFont(page)
  const layoutShift = await observeLayoutShifts(page)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of [paths[inPerson] ?? '', '/', '/calendar']) {
      await open(page, path)
      await expect(page.getByRole('link', { name: 'Admin Portal' })).toBeVisible()
      await waitUntilSettled(page)
      expect(await layoutShift(), `${path} at ${String(width)} px`).toBeLessThan(0.001)
    }
  }
})

test.describe('in a time zone with a long name', () => {
  test.use({ timezoneId: 'Asia/Kathmandu' })

  test('nothing moves when the visitor’s time appears, also on narrow phones', async ({ page }) => {
    await cacheFont(page)
    const layoutShift = await observeLayoutShifts(page)
    for (const width of [320, 360, 390, 430]) {
      await page.setViewportSize({ width, height: 900 })
      await open(page, paths[online] ?? '')
      await expect(page.getByText(/ GMT\+5:45$/)).toBeVisible()
      await waitUntilSettled(page)
      expect(await layoutShift(), `${String(width)} px`).toBeLessThan(0.001)
    }
  })
})

test('event pages are accessible on a phone and on a desktop, and fit the narrowest one', async ({
  page,
}) => {
  for (const title of [online, inPerson]) {
    await open(page, paths[title] ?? '')
    await expectAccessibleAtEveryWidth(page)
  }
})

test('a link to a deleted event says that it was deleted', async ({
  page,
  adminApi,
  consoleMessages,
}) => {
  consoleMessages.allow(/410 .*\/events\//)
  await addWebinar(adminApi, 'Not for long')
  const events = (await (await adminApi.get('/api/events')).json()) as CalendarEvent[]
  const event = events.find(({ title }) => title === 'Not for long')
  if (!event) throw new Error('The event is not listed')
  await open(page, event.path)
  await adminApi.delete(`/api/events/${event.id}`)
  await page.reload()
  await waitForReact(page)
  await expect(page.getByRole('heading', { name: 'This event was deleted' })).toBeVisible()
  await expect(page).toHaveURL(event.path)
  await expectAccessibleEverywhere(page)
  await page.getByRole('main').getByRole('link', { name: 'Events Calendar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Events Calendar' })).toBeVisible()
})

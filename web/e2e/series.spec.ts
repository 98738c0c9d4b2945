import type { APIRequestContext, Page } from '@playwright/test'
import { daysFromToday } from './support/event-data.ts'
import { expectAccessibleEverywhere, expectNoSidewaysScroll, open } from './support/page.ts'
import { addEvent, openEvents } from './support/portal.ts'
import { expect, test } from './support/test.ts'

interface ListedEvent {
  id: number
  title: string
  path: string
  seriesPosition?: { path: string }
}

const listed = async (page: Page) =>
  (await (await page.request.get('/api/events')).json()) as ListedEvent[]

/** Three events of a series; returns the path of its page. */
async function addSeries(api: APIRequestContext, page: Page, series: string): Promise<string> {
  for (const [index, title] of ['opens', 'goes on', 'ends'].entries()) {
    await addEvent(api, `${series} ${title}`, { series, date: daysFromToday(5 + 7 * index) })
  }
  const event = (await listed(page)).find(({ title }) => title === `${series} opens`)
  return event?.seriesPosition?.path ?? ''
}

test('visitors see which event of a series they are at, and go through the series', async ({
  page,
  adminApi,
}) => {
  const path = await addSeries(adminApi, page, 'Ledger nights')
  expect(path).toBe('/series/ledger-nights')
  const second = (await listed(page)).find(({ title }) => title === 'Ledger nights goes on')
  await open(page, second?.path ?? '')
  const main = page.getByRole('main')
  await expect(main.getByText('Ledger nights, 2 of 3')).toBeVisible()
  await main.getByRole('link', { name: 'Ledger nights ends' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ledger nights ends')
  await expect(main.getByText('Ledger nights, 3 of 3')).toBeVisible()
  await main.getByRole('link', { name: 'Ledger nights', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ledger nights' })).toBeVisible()
  await expect(page).toHaveURL(path)
  await expect(page.getByText('A series of 3 events')).toBeVisible()
  await page.getByRole('link', { name: /1 of 3.*Ledger nights opens/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ledger nights opens')
})

test('the dialog of an event leads to its series, with the keyboard alone', async ({
  page,
  adminApi,
}) => {
  await addSeries(adminApi, page, 'Open books')
  const event = (await listed(page)).find(({ title }) => title === 'Open books opens')
  await open(page, `/calendar?event=${String(event?.id)}`)
  const dialog = page.getByRole('dialog', { name: 'Open books opens' })
  await expect(dialog.getByText('Open books, 1 of 3')).toBeVisible()
  await dialog.getByRole('link', { name: 'Open books', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Open books' })).toBeFocused()
  await page.goBack()
  await expect(dialog).toBeVisible()
})

test('the page of a series is complete without scripts and accessible everywhere', async ({
  page,
  browser,
  lectern,
  adminApi,
}) => {
  const path = await addSeries(adminApi, page, 'Quiet evenings')
  const context = await browser.newContext({ baseURL: lectern.url, javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto(path)
  await expect(plain.getByRole('heading', { level: 1, name: 'Quiet evenings' })).toBeVisible()
  await expect(plain.getByRole('link', { name: /Quiet evenings goes on/ })).toBeVisible()
  await expect(plain.getByRole('link', { name: 'Subscribe to this series' })).toHaveAttribute(
    'href',
    '/calendar.ics?series=quiet-evenings',
  )
  await context.close()

  await open(page, path)
  await expectAccessibleEverywhere(page)
  await page.setViewportSize({ width: 320, height: 700 })
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('link', { name: 'Subscribe to this series' }).click()
  const menu = page.getByRole('group', { name: 'Subscribe to Quiet evenings' })
  await expect(menu.getByRole('link', { name: 'Apple Calendar' })).toHaveAttribute(
    'href',
    /^webcal:.*\/calendar\.ics\?series=quiet-evenings$/,
  )
  const calendar = await page.request.get('/calendar.ics?series=quiet-evenings')
  expect((await calendar.text()).match(/BEGIN:VEVENT/g)).toHaveLength(3)
})

test('a series that I rename keeps its old URL', async ({ page, adminApi }) => {
  const path = await addSeries(adminApi, page, 'Old name')
  await openEvents(page, adminApi, '?q=old+name')
  await page.getByRole('checkbox', { name: 'Select all 3 that match' }).check()
  await page.getByRole('button', { name: 'Change 3 events' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Series').selectOption('Put into a series')
  await dialog.getByLabel('Name of the series').fill('New name')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('button', { name: 'Change 3 events' }).click()
  await expect(dialog).toBeHidden()
  await open(page, path)
  await expect(page).toHaveURL('/series/new-name')
  await expect(page.getByRole('heading', { level: 1, name: 'New name' })).toBeVisible()
})

test('an unknown series is a page that says so', async ({ page, consoleMessages }) => {
  consoleMessages.allow(/404 .*\/series\/nothing$/)
  await open(page, '/series/nothing')
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
})

import type { APIRequestContext, Page, Locator } from '@playwright/test'
import { daysFromToday } from './event-data.ts'
import { open } from './page.ts'
import { expect } from './test.ts'

/** Signs this browser in without the form. */
export async function signIn(page: Page, api: APIRequestContext): Promise<void> {
  const { cookies } = await api.storageState()
  await page.context().addCookies(cookies)
}

/** Opens a tab of the portal, signed in, and waits until it has loaded. */
export async function openPortal(page: Page, api: APIRequestContext, search = ''): Promise<void> {
  await signIn(page, api)
  await page.goto(`/admin${search}`)
  await expect(page.getByRole('tab', { selected: true })).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

/** Signs this browser in without the form and opens the tab. */
export async function openEvents(page: Page, api: APIRequestContext, search = ''): Promise<void> {
  await signIn(page, api)
  await open(page, `/admin${search}`)
  const content = page.getByRole('article').or(page.getByRole('form'))
  await expect(content.first()).toBeVisible()
}

/** The event's card. */
export const card = (page: Page, title: string) => page.getByRole('article', { name: title })
/** A button by its name. */
export const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name })

/** The first option of the speaker list. */
export const speakerOption = (page: Page) =>
  page.getByRole('listbox', { name: 'Speakers' }).getByRole('option').first()

/** Searches the list of events. */
export async function find(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Find' }).fill(text)
}

/** Fills in the fields that every event needs, except for venue or registration. */
export async function fillIn(page: Page, title: string, days = 3): Promise<void> {
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Summary').fill('One deal, read line by line.')
  await page.getByLabel('Description').fill('Bring an offering, and a pencil.')
  await page.getByLabel('Date').fill(daysFromToday(days))
  await page.getByLabel('Time', { exact: true }).fill('19:30')
  await page.getByRole('combobox', { name: 'Add a speaker or host' }).click()
  await speakerOption(page).click()
}

/** Creates an event through the API. */
export async function addEvent(
  api: APIRequestContext,
  title: string,
  overrides: object = {},
): Promise<number> {
  const response = await api.post('/api/events', { data: await eventOf(api, title, overrides) })
  expect(response.status()).toBe(201)
  return ((await response.json()) as { id: number }).id
}

/** Creates an event on several days. */
export async function addEvents(
  api: APIRequestContext,
  title: string,
  dates: readonly string[],
): Promise<void> {
  const data = { ...(await eventOf(api, title)), dates }
  const response = await api.post('/api/events/repeats', { data })
  expect(response.status()).toBe(201)
}

/** The body to create an event, with the first two speakers. */
async function eventOf(api: APIRequestContext, title: string, overrides: object = {}) {
  const speakers = (await (await api.get('/api/speakers')).json()) as { id: number }[]
  return {
    event: {
      title,
      date: daysFromToday(1),
      time: '19:00',
      duration: '60 minutes',
      type: 'Special',
      summary: 'An evening together.',
      description: 'See how it is done.',
      registrationUrl: 'https://example.com/register',
      timezone: 'America/New_York',
      ...overrides,
    },
    speakerIds: speakers.slice(0, 2).map(({ id }) => id),
  }
}

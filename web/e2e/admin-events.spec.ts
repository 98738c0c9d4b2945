import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { expectAccessible, open } from './support/page.ts'
import { expect, test } from './support/test.ts'

const screens = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'desktop', width: 1440, height: 900 },
] as const

/** Days from today, yyyy-MM-dd. */
const dayAhead = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Signs this browser in without the form and opens the tab. */
async function openEvents(page: Page, api: APIRequestContext, search = ''): Promise<void> {
  const { cookies } = await api.storageState()
  await page.context().addCookies(cookies)
  await open(page, `/admin${search}`)
  await expect(page.getByRole('article').first()).toBeVisible()
}

const card = (page: Page, title: string) => page.getByRole('article', { name: title })
const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name })
const toast = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words })

/** The first speaker that the form offers. */
const speakerOption = (page: Page) =>
  page.getByRole('listbox', { name: 'Speakers' }).getByRole('option').first()

async function find(page: Page, words: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Find' }).fill(words)
}

/** Fills in what every event needs but a way to take part. */
async function fillIn(page: Page, title: string, days = 3): Promise<void> {
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Summary').fill('One deal, read line by line.')
  await page.getByLabel('Description').fill('Bring an offering, and a pencil.')
  await page.getByLabel('Date').fill(dayAhead(days))
  await page.getByLabel('Time', { exact: true }).fill('19:30')
  await page.getByRole('combobox', { name: 'Add a speaker or host' }).click()
  await speakerOption(page).click()
}

/** Makes an event through the API, for tests that begin with one. */
async function addEvent(api: APIRequestContext, title: string, over: object = {}): Promise<number> {
  const speakers = (await (await api.get('/api/speakers')).json()) as { id: number }[]
  const answer = await api.post('/api/events', {
    data: {
      event: {
        title,
        date: dayAhead(1),
        time: '19:00',
        duration: '60 minutes',
        type: 'Special',
        summary: 'An evening together.',
        description: 'See how it is done.',
        registrationUrl: 'https://example.com/register',
        timezone: 'America/New_York',
        ...over,
      },
      speakerIds: speakers.slice(0, 2).map(({ id }) => id),
    },
  })
  expect(answer.status()).toBe(201)
  return ((await answer.json()) as { id: number }).id
}

test('I create an online event and visitors see it', async ({ page, adminApi }) => {
  await openEvents(page, adminApi)
  await button(page, 'Create New Event').click()
  await expect(page.getByRole('heading', { name: 'Create New Event' })).toBeVisible()
  await expect(button(page, 'Create New Event')).toBeHidden()
  await expect(page.getByLabel('Title')).toBeFocused()
  await fillIn(page, 'Reading a rent roll online')
  await page.getByLabel('Registration URL').fill('https://example.com/rent-roll')
  await button(page, 'Create Event').click()

  await expect(toast(page, 'Event created successfully')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Reading a rent roll online' })).toBeFocused()
  await page.getByRole('link', { name: 'View Calendar' }).click()
  const shown = page.getByRole('button', { name: /^Reading a rent roll online/ })
  const isNextMonth = dayAhead(3).slice(0, 7) !== dayAhead(0).slice(0, 7)
  if (isNextMonth) await button(page, 'Next month').click()
  await expect(shown.first()).toBeVisible()
})

test('I create an in-person event with its venue', async ({ page, adminApi }) => {
  await openEvents(page, adminApi)
  await button(page, 'Create New Event').click()
  await fillIn(page, 'A walk in the park', 0)
  await page.getByLabel('Time', { exact: true }).fill('23:59')
  await page.getByLabel('Event type').selectOption('In-Person Events')
  await expect(page.getByLabel('Registration URL')).toBeHidden()
  await page.getByLabel('Venue name').fill('The Arcadia House')
  await page.getByLabel('City').fill('Scottsdale')
  await button(page, 'Create Event').click()
  await expect(toast(page, 'Event created successfully')).toBeVisible()

  await open(page, '/')
  await expect(page.getByRole('region', { name: 'Next Event' })).toContainText('A walk in the park')
  await expect(page.getByRole('region', { name: 'Next Event' })).toContainText('The Arcadia House')
})

test('I see at each field what is wrong, and am put at the first', async ({ page, adminApi }) => {
  await openEvents(page, adminApi)
  await button(page, 'Create New Event').click()
  await button(page, 'Create Event').click()
  for (const words of [
    'Title is required',
    'Summary is required',
    'Description is required',
    'Registration URL is required',
    'At least one speaker must be selected',
  ]) {
    await expect(page.getByText(words)).toBeVisible()
  }
  await expect(page.getByLabel('Title')).toBeFocused()
  await page.getByLabel('Registration URL').fill('example.com')
  await expect(page.getByText('Must be a valid URL')).toBeVisible()
})

test('I change an event, and keep what I typed when I am not done', async ({ page, adminApi }) => {
  await addEvent(adminApi, 'Before the change')
  await openEvents(page, adminApi, '?q=before+the+change')
  await button(page, 'Edit Before the change').click()
  await page.getByLabel('Title').fill('After the change')

  // Neither a tab nor Cancel nor a link loses it unasked.
  await page.getByRole('tab', { name: 'Speakers' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await button(question, 'Keep Editing').click()
  await button(page, 'Cancel').click()
  await button(question, 'Keep Editing').click()
  await page.getByRole('link', { name: 'View Calendar' }).click()
  await button(question, 'Keep Editing').click()
  await expect(page.getByLabel('Title')).toHaveValue('After the change')

  await button(page, 'Update Event').click()
  await expect(toast(page, 'Event updated successfully')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'After the change' })).toBeFocused()
})

test('I delete an event and take it back', async ({ page, adminApi }) => {
  await addEvent(adminApi, 'Deleted by mistake')
  await openEvents(page, adminApi, '?q=deleted+by+mistake')
  await button(page, 'Delete Deleted by mistake').click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete Event' })
  await expect(dialog).toContainText(
    'Are you sure you want to delete "Deleted by mistake"? This action cannot be undone.',
  )
  await expect(button(dialog, 'Cancel')).toBeFocused()
  await button(dialog, 'Delete').click()
  await expect(toast(page, 'Event deleted successfully')).toBeVisible()
  await expect(card(page, 'Deleted by mistake')).toBeHidden()
  await button(page, 'Undo').click()
  await expect(card(page, 'Deleted by mistake')).toBeVisible()
  await expect(toast(page, 'Event restored successfully')).toBeVisible()
})

test('I repeat an event on other dates', async ({ page, adminApi }) => {
  await addEvent(adminApi, 'Every week')
  await openEvents(page, adminApi, '?q=every+week')
  await button(page, 'Duplicate Every week').click()
  const dialog = page.getByRole('dialog', { name: 'Duplicate Event' })
  await expect(dialog.getByLabel('Date')).toHaveValue(dayAhead(8))
  await button(dialog, 'Add Another Week').click()
  await button(dialog, 'Add Another Week').click()
  await button(dialog, 'Create 3 Events').click()
  await expect(toast(page, '3 events created successfully')).toBeVisible()
  await expect(card(page, 'Every week')).toHaveCount(4)
})

test('I find events by speaker, type and time, and a link finds them again', async ({
  page,
  adminApi,
}) => {
  await addEvent(adminApi, 'The needle')
  await openEvents(page, adminApi)
  await find(page, 'needle')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByText('1 event found')).toBeVisible()
  await expect(page).toHaveURL(/[?&]q=needle/)
  await page.reload()
  await expect(page.getByRole('searchbox', { name: 'Find' })).toHaveValue('needle')
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByLabel('Show').selectOption('Past')
  await expect(page.getByText('No events match.')).toBeVisible()
  await button(page, 'Show All Events').click()
  await expect(page.getByRole('article')).toHaveCount(6)
  await button(page, 'Next page').click()
  await expect(page.getByText(/^Page 2 of \d+$/)).toBeVisible()
})

test('two of us edit one event, and nothing is lost', async ({ page, adminApi, quietConsole }) => {
  quietConsole.expectProblem(/409 .*\/api\/events\/\d+$/)
  const id = await addEvent(adminApi, 'Edited by two')
  await openEvents(page, adminApi, '?q=edited+by+two')
  await button(page, 'Edit Edited by two').click()
  await page.getByLabel('Description').fill('My description.')
  const { cookies } = await adminApi.storageState()
  const other = await page
    .context()
    .browser()
    ?.newContext({ baseURL: new URL(page.url()).origin })
  await other?.addCookies(cookies)
  const theirs = await other?.newPage()
  if (!theirs) throw new Error('There is no second browser')
  await theirs.goto(`/admin?event=${id}`)
  await theirs.getByLabel('Title').fill('Edited by two, renamed')
  await button(theirs, 'Update Event').click()
  await expect(toast(theirs, 'Event updated successfully')).toBeVisible()
  await other?.close()

  await button(page, 'Update Event').click()
  const dialog = page.getByRole('dialog', { name: /Somebody else changed this event/ })
  await expect(dialog.getByRole('group', { name: 'Title' }).getByLabel(/^Theirs/)).toBeChecked()
  await expect(
    dialog.getByRole('group', { name: 'Description' }).getByLabel(/^Yours/),
  ).toBeChecked()
  await expectAccessible(page)
  await button(dialog, 'Save This Version').click()
  await expect(toast(page, 'Event updated successfully')).toBeVisible()
  const events = (await (await adminApi.get('/api/events')).json()) as {
    id: number
    title: string
    description: string
  }[]
  expect(events.find((event) => event.id === id)).toMatchObject({
    title: 'Edited by two, renamed',
    description: 'My description.',
  })
})

test('I can do it all by keyboard', async ({ page, adminApi }) => {
  await openEvents(page, adminApi)
  await button(page, 'Create New Event').press('Enter')
  await page.keyboard.type('Typed, not clicked')
  await page.getByLabel('Summary').focus()
  await page.keyboard.type('By keyboard.')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Every key of it.')
  await page.getByLabel('Registration URL').focus()
  await page.keyboard.type('https://example.com/keys')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Add a speaker or host' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(button(page, /^Remove /)).toHaveCount(2)
  await page.keyboard.press('Backspace')
  await expect(button(page, /^Remove /)).toHaveCount(1)
  await button(page, 'Create Event').press('Enter')
  await expect(toast(page, 'Event created successfully')).toBeVisible()
})

test('two thousand events open at once', async ({ page, adminApi }) => {
  const [event] = (await (await adminApi.get('/api/events')).json()) as object[]
  const events = Array.from({ length: 2000 }, (_, index) => ({
    ...event,
    id: index + 1,
    title: `Event ${index + 1}`,
    startsAt: new Date(Date.now() + (index - 1000) * 3_600_000).toISOString(),
  }))
  await page.route('**/api/events', (route) => route.fulfill({ json: events }))
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('article')) return
      performance.mark('cards')
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  })
  await openEvents(page, adminApi)
  await expect(page.getByText(/^Page 1 of 334$/)).toBeVisible()
  const waited = await page.evaluate(() => {
    const isData = ({ name }: PerformanceEntry) => /\/api\/events(\/hidden)?$/.test(name)
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const arrival = Math.max(...entries.filter(isData).map(({ responseEnd }) => responseEnd))
    return (performance.getEntriesByName('cards')[0]?.startTime ?? Infinity) - arrival
  })
  expect(waited).toBeLessThan(300)
})

for (const { name, width, height } of screens) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`on a ${name}, ${colorScheme}`, () => {
      test.use({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' })

      test('list, form, errors and dialogs break no rule', async ({ page, adminApi }) => {
        await addEvent(adminApi, 'For all to read')
        await openEvents(page, adminApi)
        await expectAccessible(page)
        await page.screenshot({ path: test.info().outputPath('list.png'), fullPage: true })
        await button(page, /^Delete /)
          .first()
          .click()
        await expectAccessible(page)
        await page.screenshot({ path: test.info().outputPath('delete.png') })
        await page.keyboard.press('Escape')
        await button(page, /^Duplicate /)
          .first()
          .click()
        await expectAccessible(page)
        await page.screenshot({ path: test.info().outputPath('duplicate.png') })
        await page.keyboard.press('Escape')
        await button(page, 'Create New Event').click()
        await expectAccessible(page)
        await button(page, 'Create Event').click()
        await page.getByLabel('Event type').selectOption('In-Person Events')
        await expectAccessible(page)
        await page.screenshot({ path: test.info().outputPath('errors.png'), fullPage: true })
        await page.getByRole('combobox', { name: 'Add a speaker or host' }).click()
        await expect(speakerOption(page)).toBeVisible()
        await expectAccessible(page)
        await page.screenshot({ path: test.info().outputPath('speakers.png') })
        const isTooWide = await page.evaluate(
          () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
        )
        expect(isTooWide).toBe(false)
      })
    })
  }
}

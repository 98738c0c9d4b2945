import {
  expectAccessibleAtEveryWidth,
  expectAccessibleInBothThemes,
  open,
  waitForReact,
} from './support/page.ts'
import { addInPersonEvent, addWebinar, daysFromToday } from './support/event-data.ts'
import { addEvent } from './support/portal.ts'
import { expect, test } from './support/test.ts'

test.use({ data: 'empty' })
test.describe.configure({ mode: 'serial' })

test('I find an event with the keyboard alone', async ({ page, adminApi }) => {
  await addWebinar(adminApi, 'Café conversations')
  await addInPersonEvent(adminApi, 'Property walk and dinner')
  await open(page, '/')
  await page.keyboard.press('/')
  const field = page.getByRole('combobox', { name: 'Search events' })
  await expect(field).toBeFocused()
  await page.keyboard.type('cafe okafor')
  const option = page.getByRole('listbox').getByRole('option', { name: /Café conversations/ })
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('status').filter({ hasText: '1 event found' })).toBeAttached()
  await expect(option.locator('mark').first()).toHaveText('Café')

  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/events\/\d+-cafe-conversations$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Café conversations' })).toBeFocused()
})

test('I find an event despite a typo, and by its month', async ({ page }) => {
  const tomorrow = daysFromToday(1)
  const month = new Date(tomorrow).toLocaleDateString('en-US', { month: 'long', timeZone: 'UTC' })
  for (const query of ['convresations', month.toLowerCase(), tomorrow.slice(0, 7)]) {
    await open(page, '/calendar')
    await page.getByRole('link', { name: 'Search events' }).click()
    await page.getByRole('combobox', { name: 'Search events' }).fill(query)
    await expect(page.getByRole('option', { name: /Café conversations/ })).toBeVisible()
  }
})

test('I share a search, change it and follow a result', async ({ page }) => {
  await open(page, '/search?q=arcadia')
  await expect(page.getByText('1 event found')).toBeVisible()
  const field = page.getByRole('searchbox', { name: 'Search events' })
  await expect(field).toHaveValue('arcadia')
  await field.fill('cafe')
  await field.press('Enter')
  await expect(page).toHaveURL(/\/search\?q=cafe$/)
  // Before that, the link loads the page anew.
  await waitForReact(page)
  await page.getByRole('link', { name: /Café conversations/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Café conversations' })).toBeFocused()
  await page.goBack()
  await expect(field).toHaveValue('cafe')
  await page.goto('/search?q=yoga')
  await expect(page.getByText('No events found for “yoga”.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'All events in the calendar' })).toBeVisible()
})

test('the next page of results begins at its top, and a search leaves me in the field', async ({
  page,
  adminApi,
}) => {
  const events = Array.from({ length: 51 }, (_, index) => `Ledger evening ${String(index + 1)}`)
  for (const title of events) await addEvent(adminApi, title)
  await open(page, '/search?q=')
  const field = page.getByRole('searchbox', { name: 'Search events' })
  await field.press('Enter')
  await expect(field).toBeFocused()
  await field.fill('ledger')
  await field.press('Enter')
  await expect(page.getByRole('heading', { name: '51 events found' })).toBeVisible()
  await expect(field).toBeFocused()

  await page.getByRole('link', { name: 'Next page' }).click()
  const heading = page.getByRole('heading', { name: '51 events found, page 2 of 2' })
  await expect(heading).toBeFocused()
  await expect(page.locator('main ol').getByRole('link')).toHaveCount(1)
  await expectAccessibleInBothThemes(page)
  await page.getByRole('link', { name: 'Previous page' }).click()
  await expect(heading).toBeHidden()
  await expect(page.getByRole('heading', { name: '51 events found' })).toBeFocused()
  await expect(page.getByRole('heading', { name: '51 events found' })).toBeInViewport()
  await page.goBack()
  await expect(heading).toBeVisible()
})

test('a slash typed into a field does not open the search', async ({ page }) => {
  await open(page, '/calendar')
  await page.getByRole('combobox', { name: 'Event type' }).focus()
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the search is accessible on a phone and on a desktop, and fits the narrowest one', async ({
  page,
}) => {
  await open(page, '/calendar')
  await page.getByRole('link', { name: 'Search events' }).click()
  await expect(page.getByRole('combobox', { name: 'Search events' })).toBeVisible()
  await expectAccessibleAtEveryWidth(page)
  await page.getByRole('combobox', { name: 'Search events' }).fill('scottsdale')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1)
  await expectAccessibleAtEveryWidth(page)

  await open(page, '/search?q=cafe')
  await expect(page.getByText('1 event found')).toBeVisible()
  await expectAccessibleAtEveryWidth(page)
})

test('a list of results that scrolls can be reached by keyboard', async ({ page, adminApi }) => {
  for (let number = 1; number <= 6; number += 1) await addWebinar(adminApi, `Repeated ${number}`)
  await page.setViewportSize({ width: 390, height: 500 })
  await open(page, '/calendar')
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Search events' }).fill('repeated')
  await expect(page.getByRole('option', { name: /Repeated 6/ })).toBeAttached()
  const list = page.getByRole('group', { name: 'Results' })
  expect(await list.evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true)
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(list).toBeFocused()
})

import { expectAccessibleInBothThemes, expectNoSidewaysScroll, open } from './support/page.ts'
import { addInPersonEvent, addWebinar } from './support/event-data.ts'
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

test('a slash typed into a field does not open the search', async ({ page }) => {
  await open(page, '/calendar')
  await page.getByRole('combobox', { name: 'Event type' }).focus()
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

for (const width of [320, 390, 1440]) {
  test(`the search is accessible at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await open(page, '/calendar')
    await page.getByRole('button', { name: 'Search events' }).click()
    await expectAccessibleInBothThemes(page)
    await page.getByRole('combobox', { name: 'Search events' }).fill('scottsdale')
    await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1)
    await expectAccessibleInBothThemes(page)
    await expectNoSidewaysScroll(page)
  })
}

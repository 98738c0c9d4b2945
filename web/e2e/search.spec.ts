import { expectAccessible, expectNoSidewaysScroll, keepPicture, open } from './support/page.ts'
import { addInPersonEvent, addWebinar } from './support/season.ts'
import { expect, test } from './support/test.ts'

// Settings of its own give this file a server of its own, which no other file has written to.
test.use({ data: 'empty', config: '# search.spec.ts' })
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

test('I walk the results, clear them and close the search', async ({ page }) => {
  await open(page, '/calendar')
  const opener = page.getByRole('button', { name: 'Search events' })
  await opener.click()
  const field = page.getByRole('combobox', { name: 'Search events' })
  await field.fill('okafor')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(2)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('listbox').getByRole('option').nth(1)).toHaveAttribute(
    'aria-selected',
    'true',
  )
  const active = await page.getByRole('listbox').getByRole('option').nth(1).getAttribute('id')
  await expect(field).toHaveAttribute('aria-activedescendant', active ?? '')

  await field.fill('zzz')
  await expect(
    page.getByRole('dialog').getByText('No events found for “zzz”.').first(),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(opener).toBeFocused()
})

test('typing a slash into a field searches nothing', async ({ page }) => {
  await open(page, '/calendar')
  await page.getByRole('combobox', { name: 'Event type' }).focus()
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

for (const width of [320, 390, 1440]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the search is accessible at ${width} in ${colorScheme}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await open(page, '/calendar')
      await page.getByRole('button', { name: 'Search events' }).click()
      await expectAccessible(page)
      await page.getByRole('combobox', { name: 'Search events' }).fill('scottsdale')
      await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await keepPicture(page, `search-${width}-${colorScheme}`)
    })
  }
}

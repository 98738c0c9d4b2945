import { expectAccessible, expectAccessibleAtEveryWidth, open } from './support/page.ts'
import { expect, test } from './support/test.ts'

// The calendar, series, events and the search have tests of their own.
const pages = ['/', '/login-help', '/admin/login', '/auth-success', '/nothing-here']

test('every page is accessible on a phone and on a desktop, in both themes, and fits the narrowest phone', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/404 .*\/nothing-here$/)
  for (const path of pages) {
    await open(page, path)
    await expectAccessibleAtEveryWidth(page)
  }
})

test('a sign-in that never completes ends on an accessible page', async ({ page }) => {
  await page.clock.install()
  await open(page, '/auth-success')
  const link = page.getByRole('link', { name: 'Go to Admin' })
  await expect(async () => {
    await page.clock.runFor(2000)
    await expect(link).toBeVisible({ timeout: 200 })
  }).toPass()
  await expectAccessible(page)
})

import { expectAccessible, expectAccessibleInBothThemes, open } from './support/page.ts'
import { expect, test } from './support/test.ts'

const pages = [
  '/',
  '/calendar',
  '/series/the-five-pillars',
  '/login-help',
  '/admin/login',
  '/auth-success',
  '/nothing-here',
]

for (const path of pages) {
  test(`${path} is accessible on a phone and on a desktop, in both themes`, async ({
    page,
    consoleMessages,
  }) => {
    consoleMessages.allow(/404 .*\/nothing-here$/)
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await open(page, path)
      await expectAccessibleInBothThemes(page)
    }
  })
}

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

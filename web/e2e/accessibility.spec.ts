import { expectAccessible, open } from './support/page.ts'
import { test } from './support/test.ts'

const pages = ['/', '/calendar', '/login-help', '/admin/login', '/auth-success', '/nothing-here']

for (const path of pages) {
  for (const width of [390, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${path} is accessible at ${width} in ${colorScheme}`, async ({
        page,
        quietConsole,
      }) => {
        quietConsole.expectProblem(/404 .*\/nothing-here$/)
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await open(page, path)
        await expectAccessible(page)
      })
    }
  }
}

import { type APIRequestContext, type Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from './page.ts'
import { expect } from './test.ts'

/** Signs this browser in without the form. */
export async function beSignedIn(page: Page, api: APIRequestContext): Promise<void> {
  const { cookies } = await api.storageState()
  await page.context().addCookies(cookies)
}

/** Opens a tab of the portal, signed in, and waits until its screen stands. */
export async function openPortal(page: Page, api: APIRequestContext, search = ''): Promise<void> {
  await beSignedIn(page, api)
  await page.goto(`/admin${search}`)
  await expect(page.getByRole('tab', { selected: true })).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

/** Expects what stands to break no rule of axe and to fit, on both screens and in both themes. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 1440, height: 900 }
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expectAccessible(page)
    }
    await expectNoSidewaysScroll(page)
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  await page.setViewportSize(size)
}

/** The toast with these words. */
export const toast = (page: Page, words: string) => page.getByRole('status').getByText(words)

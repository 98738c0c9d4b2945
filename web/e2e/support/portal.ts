import { type APIRequestContext, type Page } from '@playwright/test'
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

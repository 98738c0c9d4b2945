import type { Page } from '@playwright/test'
import { admin } from './support/lectern.ts'
import { open } from './support/page.ts'
import { expect, expectToast, test } from './support/test.ts'

async function fillIn(page: Page) {
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password').fill(admin.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

const portal = (page: Page) => page.getByRole('link', { name: 'View Calendar' })

// Creates the account: workers run the tests of this file in any order.
test.beforeEach(({ adminApi }) => {
  expect(adminApi).toBeDefined()
})

test('the portal asks me to sign in and returns to the requested tab', async ({ page }) => {
  await page.goto('/admin?tab=users')
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
  await expect(page.getByText('Sign in to access the admin panel')).toBeVisible()
  await fillIn(page)
  await expect(portal(page)).toBeVisible()
  await expect(page).toHaveURL(/\/admin\?tab=users$/)
  // The toast outlasts the sign-in page.
  await expectToast(page, 'Login successfulRedirecting to admin panel...', '/admin')
})

test('I sign in from login help in a popup, and the page behind follows', async ({
  page,
  context,
}) => {
  await open(page, '/login-help')
  const opened = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Login with Replit' }).click()
  const popup = await opened
  await expect(popup.getByText('Replit sign-in is turned off on this site')).toBeVisible()
  const closed = popup.waitForEvent('close')
  await fillIn(popup)
  await expect(page).toHaveURL(/\/admin$/)
  await expect(portal(page)).toBeVisible()
  await closed
})

test('I sign out and the portal is closed to me', async ({ page }) => {
  await page.goto('/admin/login')
  await fillIn(page)
  await expect(portal(page)).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(page.getByRole('link', { name: 'Admin Portal' })).toBeHidden()
  await page.goto('/admin')
  await expect(page).toHaveURL(/\/admin\/login$/)
})

test('after signing out in another tab, the portal asks me to sign in on focus', async ({
  page,
  context,
}) => {
  await page.goto('/admin/login')
  // The last requests of the portal: one that is rejected would ask to sign in by itself.
  const loaded = Promise.all(
    ['**/api/events/portal?**', '**/api/events/months'].map((url) => page.waitForResponse(url)),
  )
  await fillIn(page)
  await loaded
  await expect(portal(page)).toBeVisible()
  await context.request.post('/api/auth/logout')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
})

test('signing out leads home even if it fails, and says so', async ({ page, consoleMessages }) => {
  consoleMessages.allow(/Logout failed|api\/auth\/logout$/)
  await page.goto('/admin/login')
  await fillIn(page)
  await expect(portal(page)).toBeVisible()
  await page.route('**/api/auth/logout', (route) => route.abort())
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(page.getByRole('alert')).toContainText('Logout failed')
})

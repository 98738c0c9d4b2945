import type { Page } from '@playwright/test'
import { admin } from './support/lectern.ts'
import { expectAccessible, open } from './support/page.ts'
import { beSignedIn } from './support/portal.ts'
import { expect, test } from './support/test.ts'

async function fillIn(page: Page, password = admin.password) {
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

const portal = (page: Page) => page.getByRole('link', { name: 'View Calendar' })

test.describe('signing in', () => {
  // Makes the account.
  test.beforeEach(({ adminApi }) => {
    expect(adminApi).toBeDefined()
  })

  test('I am asked to sign in and come back to where I wanted to be', async ({ page }) => {
    await page.goto('/admin?tab=users')
    await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
    await expect(page.getByText('Sign in to access the admin panel')).toBeVisible()
    await fillIn(page)
    await expect(page.getByText('Login successful')).toBeVisible()
    await expect(page.getByText('Redirecting to admin panel...')).toBeVisible()
    await expect(portal(page)).toBeVisible()
    await expect(page).toHaveURL(/\/admin\?tab=users$/)
  })

  test('a link can’t lead me to another site after signing in', async ({ page }) => {
    await page.goto('/admin/login?next=//evil.example/admin')
    await fillIn(page)
    await expect(portal(page)).toBeVisible()
    await expect(page).toHaveURL(/127\.0\.0\.1:\d+\/admin$/)
  })

  test('a wrong password is refused and nothing that I typed is lost', async ({
    page,
    quietConsole,
  }) => {
    quietConsole.expectProblem(/401 .*\/api\/auth\/login$/)
    await open(page, '/admin/login')
    await fillIn(page, 'not the password')
    await expect(page.getByRole('alert').getByText('Invalid email or password')).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(admin.email)
    await expect(page.getByLabel('Password')).toHaveValue('not the password')
    await expect(page.getByLabel('Password')).toBeFocused()
    await expectAccessible(page)
  })

  test('I see what is missing, and am put where it is', async ({ page }) => {
    await open(page, '/admin/login')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Email is required')).toBeVisible()
    await expect(page.getByText('Password is required')).toBeVisible()
    await expect(page.getByLabel('Email')).toBeFocused()
    await page.keyboard.type('admin@nowhere')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Please enter a valid email address')).toBeVisible()
    await expectAccessible(page)
  })

  test('without a connection I am told so', async ({ page, quietConsole }) => {
    quietConsole.expectProblem(/api\/auth\/login$/)
    await open(page, '/admin/login')
    await page.route('**/api/auth/login', (route) => route.abort())
    await fillIn(page)
    await expect(page.getByRole('alert').getByText(/can’t be reached/)).toBeVisible()
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
})

test.describe('signed in', () => {
  test.beforeEach(async ({ page, adminApi }) => {
    await beSignedIn(page, adminApi)
  })

  for (const path of ['/auth', '/auth-success', '/login-help', '/admin/login']) {
    test(`${path} sends me on to the portal`, async ({ page }) => {
      await page.goto(path)
      await expect(page).toHaveURL(/\/admin$/)
      await expect(portal(page)).toBeVisible()
    })
  }
})

test('I sign out and the portal is closed to me', async ({ page, adminApi }) => {
  expect(adminApi).toBeDefined()
  await page.goto('/admin/login')
  await fillIn(page)
  await expect(portal(page)).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(page.getByRole('link', { name: 'Admin Portal' })).toBeHidden()
  await page.goto('/admin')
  await expect(page).toHaveURL(/\/admin\/login$/)
})

test('signed out elsewhere, I am signed out here as soon as I look', async ({ page, context }) => {
  await page.goto('/admin/login')
  await fillIn(page)
  await expect(portal(page)).toBeVisible()
  await context.request.post('/api/auth/logout')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible()
})

test('signing out leads home even if the server can’t be asked', async ({ page, quietConsole }) => {
  quietConsole.expectProblem(/Logout failed|api\/auth\/logout$/)
  await page.goto('/admin/login')
  await fillIn(page)
  await expect(portal(page)).toBeVisible()
  await page.route('**/api/auth/logout', (route) => route.abort())
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
})

test('completing a sign-in that never comes ends after ten attempts', async ({ page }) => {
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/user')) asked += 1
  })
  await open(page, '/auth-success')
  await expect(page.getByRole('heading', { name: 'Completing Authentication...' })).toBeVisible()
  const go = page.getByRole('link', { name: 'Go to Admin' })
  await expect(go).toBeVisible({ timeout: 15_000 })
  expect(asked).toBe(10)
  await expect(go).toHaveAttribute('href', '/admin')
  const again = page.getByRole('link', { name: 'try again', exact: true })
  await expect(again).toHaveAttribute('href', '/admin/login')
  await expectAccessible(page)
})

test('visitors’ pages ask nobody who is signed in', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await open(page, '/')
  await page.waitForTimeout(300)
  expect(asked.filter((url) => url.includes('/api/user'))).toEqual([])
})

import type { Page } from '@playwright/test'
import { admin } from './support/lectern.ts'
import { expectAccessibleEverywhere } from './support/page.ts'
import { openPortal } from './support/portal.ts'
import { expect, expectToast, test } from './support/test.ts'

test.use({ data: 'empty' })

const signInAgain = async (page: Page, { email, password } = admin) => {
  const dialog = page.getByRole('dialog', { name: 'You are signed out' })
  await expect(dialog.getByText('Your session has ended. Sign in again to continue.')).toBeVisible()
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Sign In' }).click()
}

test.describe('the portal’s navigation', () => {
  test('each tab has its URL, and Back leads through them', async ({ page, adminApi }) => {
    await openPortal(page, adminApi)
    await expect(page.getByRole('heading', { level: 1, name: 'Events' })).toBeVisible()
    await page.getByRole('tab', { name: 'Speakers' }).click()
    await expect(page).toHaveURL(/\/admin\?tab=speakers$/)
    await page.getByRole('tab', { name: 'Analytics' }).click()
    await expect(page.getByText('Analytics dashboard coming soon.')).toBeVisible()
    await expect(page).toHaveURL(/\/admin\?tab=analytics$/)
    await page.goBack()
    await expect(page.getByRole('tab', { name: 'Speakers', selected: true })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('tab', { name: 'Events', selected: true })).toBeVisible()
    await page.goForward()
    await page.reload()
    await expect(page.getByRole('tab', { name: 'Speakers', selected: true })).toBeVisible()
  })

  test('Tab reaches the tabs once, and the arrow keys change them', async ({ page, adminApi }) => {
    await openPortal(page, adminApi)
    await page.getByRole('tab', { name: 'Events' }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('tab', { name: 'Analytics' })).toBeFocused()
    await expect(page.getByRole('heading', { level: 1, name: 'Analytics' })).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('heading', { name: 'Calendar Page Content' })).toBeVisible()
    // The heading appears before the content has loaded.
    await expect(page.getByRole('button', { name: 'Edit Content' })).toBeEnabled()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Edit Content' })).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(page.getByRole('tab', { name: 'Calendar CMS' })).toBeFocused()
    await page.keyboard.press('Home')
    await expect(page.getByRole('tab', { name: 'Events', selected: true })).toBeFocused()
    await expectAccessibleEverywhere(page)
  })

  test('on a phone the selected tab is in view', async ({ page, adminApi }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await openPortal(page, adminApi, '?tab=analytics')
    await expect(page.getByRole('tab', { name: 'Analytics' })).toBeInViewport({ ratio: 1 })
    await page.getByRole('tab', { name: 'Calendar CMS' }).click()
    await expect(page.getByRole('tab', { name: 'Calendar CMS' })).toBeInViewport({ ratio: 1 })
  })

  test('View Calendar leads to the calendar', async ({ page, adminApi }) => {
    await openPortal(page, adminApi)
    await page.getByRole('link', { name: 'View Calendar' }).click()
    await expect(page).toHaveURL(/:\d+\/$/)
    await expect(page.getByRole('link', { name: 'Admin Portal' })).toBeVisible()
  })
})

test.describe('unsaved changes', () => {
  test('asks before I leave by tab, link, Back, Cancel or Logout', async ({ page, adminApi }) => {
    await openPortal(page, adminApi, '?tab=speakers')
    await page.getByRole('button', { name: 'New Speaker' }).click()
    await expect(page.getByLabel('Name')).toBeFocused()
    await page.keyboard.type('Grace')

    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    const leave: (() => Promise<unknown>)[] = [
      () => page.getByRole('tab', { name: 'Users' }).click(),
      () => page.getByRole('link', { name: 'View Calendar' }).click(),
      () => page.getByRole('button', { name: 'Cancel' }).click(),
      () => page.getByRole('button', { name: 'Logout' }).click(),
      () =>
        page.evaluate(() => {
          window.history.back()
        }),
    ]
    for (const attempt of leave) {
      await attempt()
      await expect(question).toBeVisible()
      await expect(page.getByRole('button', { name: 'Keep Editing' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(question).toBeHidden()
      await expect(page.getByLabel('Name')).toHaveValue('Grace')
      await expect(page).toHaveURL(/\/admin\?tab=speakers&speaker=new$/)
    }

    await page.getByRole('tab', { name: 'Users' }).click()
    await expectAccessibleEverywhere(page)
    await page.getByRole('button', { name: 'Leave' }).click()
    await expect(page.getByRole('heading', { name: 'User Management' })).toBeVisible()
    await page.goBack()
    await expect(page.getByLabel('Name')).toHaveValue('')
    await page.goBack()
    await expect(page.getByRole('button', { name: 'New Speaker' })).toBeFocused()
  })

  test('is discarded by Back when I confirm', async ({ page, adminApi }) => {
    await openPortal(page, adminApi, '?tab=speakers')
    await page.getByRole('button', { name: 'New Speaker' }).click()
    await page.getByLabel('Name').fill('Grace')
    await page.evaluate(() => {
      window.history.back()
    })
    await page.getByRole('button', { name: 'Leave' }).click()
    await expect(page).toHaveURL(/\/admin\?tab=speakers$/)
    await expect(page.getByRole('button', { name: 'New Speaker' })).toBeVisible()
  })

  test('makes the browser ask before a reload', async ({ page, adminApi }) => {
    await openPortal(page, adminApi, '?tab=speakers&speaker=new')
    await page.getByLabel('Name').fill('Grace')
    const opened = page.waitForEvent('dialog')
    await page.evaluate(() => {
      setTimeout(() => {
        window.location.reload()
      })
    })
    const dialog = await opened
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await expect(page.getByLabel('Name')).toHaveValue('Grace')
    page.on('dialog', (next) => void next.accept())
  })
})

test.describe('a session that ends during work', () => {
  test('I sign in over the page and what I was saving is saved', async ({
    page,
    adminApi,
    consoleMessages,
  }) => {
    consoleMessages.allow(/401/)
    await openPortal(page, adminApi, '?tab=speakers')
    await page.getByRole('button', { name: 'New Speaker' }).click()
    await page.getByLabel('Name').fill('Grace Obi')
    await page.getByLabel('Title').fill('Acquisitions')
    await page.context().request.post('/api/auth/logout')
    await page.getByRole('button', { name: 'Create Speaker' }).click()

    const dialog = page.getByRole('dialog', { name: 'You are signed out' })
    await expect(dialog.getByLabel('Email')).toHaveValue(admin.email)
    await expectAccessibleEverywhere(page)
    await signInAgain(page, { ...admin, password: 'not the password' })
    await expect(dialog.getByText('Invalid email or password')).toBeVisible()
    await signInAgain(page)
    await expect(dialog).toBeHidden()
    await expectToast(page, 'Speaker created successfully')
    await expect(page.getByRole('button', { name: 'Edit Grace Obi' })).toBeVisible()
  })

  test('when a background check finds that I am signed out, I sign in and keep my input', async ({
    page,
    adminApi,
  }) => {
    await openPortal(page, adminApi, '?tab=cms&content=new')
    await page.getByLabel('Title', { exact: true }).fill('Unsaved title')
    await page.context().request.post('/api/auth/logout')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await signInAgain(page)
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Unsaved title')
    page.on('dialog', (dialog) => void dialog.accept())
  })

  test('a different admin who signs in sees whose work it is', async ({
    page,
    adminApi,
    consoleMessages,
  }) => {
    consoleMessages.allow(/401/)
    const bea = { email: 'bea@example.com', password: 'another fine password' }
    await adminApi.post('/api/users', { data: bea })
    await openPortal(page, adminApi, '?tab=cms')
    await page.getByRole('button', { name: 'Edit Content' }).click()
    await page.getByLabel('Title', { exact: true }).fill('By whom?')
    await page.context().request.post('/api/auth/logout')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await signInAgain(page, bea)
    const dialog = page.getByRole('dialog', { name: 'Another user is signed in now' })
    await expect(dialog.getByText(/as bea@example\.com now; before, it was admin@/)).toBeVisible()
    await expectAccessibleEverywhere(page)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expectToast(page, 'Page content updated successfully')
  })

  test('a list that needs the session loads after I sign in', async ({
    page,
    adminApi,
    consoleMessages,
  }) => {
    consoleMessages.allow(/401/)
    await openPortal(page, adminApi)
    await page.context().request.post('/api/auth/logout')
    await page.getByRole('tab', { name: 'Users' }).click()
    await page.getByRole('button', { name: 'Not Now' }).click()
    await expect(page.getByText('Authentication Required')).toBeVisible()
    await expect(page.getByText('Please log in to manage users.')).toBeVisible()
    await expectAccessibleEverywhere(page)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await signInAgain(page)
    await expect(page.getByRole('rowheader', { name: admin.email })).toBeVisible()
  })
})

test.describe('with backups that fail', () => {
  // A folder that can't be created, because config.toml is a file.
  test.use({ config: '[backup]\ndir = "config.toml/backups"\n' })

  test('I am told above the tabs, and visitors are not', async ({ page, adminApi }) => {
    const sentence = 'The backup fails, and there is no earlier one.'
    await expect(async () => {
      await openPortal(page, adminApi, '?tab=analytics')
      await expect(page.getByRole('alert').getByText(sentence)).toBeVisible({ timeout: 1000 })
    }).toPass()
    await expectAccessibleEverywhere(page)
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Admin Portal' })).toBeVisible()
    await expect(page.getByText(sentence)).toBeHidden()
  })
})

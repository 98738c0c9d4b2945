import { admin } from './support/lectern.ts'
import { expectAccessibleEverywhere } from './support/page.ts'
import { openPortal } from './support/portal.ts'
import { expect, expectToast, test } from './support/test.ts'

test.use({ data: 'empty' })
test.describe.configure({ mode: 'serial' })

const bea = { email: 'bea@example.com', password: 'a fine password' }

test('the only user can’t be deleted, and the button says why', async ({ page, adminApi }) => {
  await openPortal(page, adminApi, '?tab=users')
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeVisible()
  for (const name of ['Email', 'Role', 'Created', 'Actions']) {
    await expect(page.getByRole('columnheader', { name })).toBeVisible()
  }
  const button = page.getByRole('button', { name: `Delete ${admin.email}` })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await button.focus()
  await expect(page.getByRole('tooltip')).toHaveText(/only user can’t be deleted/)
  await expectAccessibleEverywhere(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tooltip')).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test('I add a user, who can sign in', async ({ page, adminApi, playwright, lectern }) => {
  await openPortal(page, adminApi, '?tab=users')
  await page.getByRole('button', { name: 'New User' }).click()
  await expect(page.getByRole('heading', { name: 'Add New User' })).toBeVisible()
  await page.getByLabel('Email').fill('bea')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect(page.getByText('Password is required for new users')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expectAccessibleEverywhere(page)
  await page.getByLabel('Email').fill(bea.email)
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
  await expect(page.getByLabel('Password')).toBeFocused()
  await page.getByLabel('Password').fill(bea.password)
  await page.getByRole('button', { name: 'Create User' }).click()
  await expectToast(page, 'User created successfully')
  await expect(page.getByRole('row', { name: /bea@example\.com/ })).toContainText('Admin')

  const api = await playwright.request.newContext({ baseURL: lectern.url })
  expect((await api.post('/api/auth/login', { data: bea })).ok()).toBe(true)
  await api.dispose()
})

test('I change an email and keep the password', async ({ page, adminApi, playwright, lectern }) => {
  await openPortal(page, adminApi, '?tab=users')
  await page.getByRole('button', { name: `Edit ${bea.email}` }).click()
  await expect(page.getByRole('heading', { name: 'Edit User' })).toBeVisible()
  await page.getByLabel('Email').fill('beatrice@example.com')
  await page.getByRole('button', { name: 'Update User' }).click()
  await expectToast(page, 'User updated successfully')
  const api = await playwright.request.newContext({ baseURL: lectern.url })
  const data = { ...bea, email: 'beatrice@example.com' }
  expect((await api.post('/api/auth/login', { data })).ok()).toBe(true)
  await api.dispose()
})

test('a new password for myself ends my other sessions', async ({
  page,
  adminApi,
  playwright,
  lectern,
}) => {
  const otherSession = await playwright.request.newContext({ baseURL: lectern.url })
  await otherSession.post('/api/auth/login', { data: admin })
  await openPortal(page, adminApi, '?tab=users')
  await page.getByRole('button', { name: `Edit ${admin.email}` }).click()
  await page.getByLabel('Password').fill(admin.password)
  await page.getByRole('button', { name: 'Update User' }).click()
  await expectToast(page, 'User updated successfully. You are signed out everywhere else.')
  expect((await otherSession.get('/api/user')).status()).toBe(401)
  await otherSession.dispose()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeVisible()
})

test('I delete a user but never myself', async ({ page, adminApi }) => {
  await openPortal(page, adminApi, '?tab=users')
  await page.getByRole('button', { name: `Delete ${admin.email}` }).hover()
  await expect(page.getByRole('tooltip')).toHaveText('You can’t delete your own account')
  await page.getByRole('button', { name: 'Delete beatrice@example.com' }).click()
  const question = page.getByRole('alertdialog', { name: 'Confirm Deletion' })
  await expect(
    question.getByText('Are you sure you want to delete this user? This action cannot be undone.'),
  ).toBeVisible()
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'User deleted successfully')
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeFocused()
})

test('I change my password and sign out everywhere else', async ({
  page,
  adminApi,
  playwright,
  lectern,
  consoleMessages,
}) => {
  consoleMessages.allow(/400 .*\/api\/user\/password$/)
  const cleo = { email: 'cleo@example.com', password: 'a fine password' }
  expect((await adminApi.post('/api/users', { data: cleo })).status()).toBe(201)
  const signInApi = async (password: string) => {
    const api = await playwright.request.newContext({ baseURL: lectern.url })
    const response = await api.post('/api/auth/login', { data: { ...cleo, password } })
    return { api, status: response.status() }
  }
  const [here, phone] = [await signInApi(cleo.password), await signInApi(cleo.password)]
  await openPortal(page, here.api, '?tab=users')
  const account = page.getByRole('button', { name: 'Account' })
  await account.click()
  const dialog = page.getByRole('dialog', { name: 'Your Account' })
  await expect(dialog.getByText(`You are signed in as ${cleo.email}.`)).toBeVisible()

  await dialog.getByLabel('Current password').fill('a wrong password')
  await dialog.getByLabel('New password').fill('an even finer one')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('The current password is wrong')).toBeVisible()
  await expect(dialog.getByLabel('Current password')).toBeFocused()
  await expectAccessibleEverywhere(page)
  await dialog.getByLabel('Current password').fill(cleo.password)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Password changed successfully. One other session has ended.')
  await expect(dialog).toBeHidden()
  await expect(account).toBeFocused()
  expect((await phone.api.get('/api/user')).status()).toBe(401)
  expect((await signInApi(cleo.password)).status).toBe(401)

  await signInApi('an even finer one')
  await account.click()
  await dialog.getByRole('button', { name: 'Sign Out Everywhere Else' }).click()
  await expectToast(page, 'One other session has ended.')
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.getByRole('row', { name: /cleo@example\.com \(you\)/ })).toBeVisible()
})

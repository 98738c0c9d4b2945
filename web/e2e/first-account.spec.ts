import { admin } from './support/lectern.ts'
import { expectAccessible, open } from './support/page.ts'
import { expect, test } from './support/test.ts'

test.use({ data: 'empty' })

test('a new site says how to create the first account, and then lets me sign in', async ({
  page,
  lectern,
}) => {
  const command = page.getByText('lectern create-admin --email you@example.com')
  await open(page, '/admin/login')
  await expect(command).toBeVisible()
  await expectAccessible(page)

  lectern.createAdmin()
  await open(page, '/admin/login')
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password').fill(admin.password)
  await expect(command).toBeHidden()
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('link', { name: 'View Calendar' })).toBeVisible()
})

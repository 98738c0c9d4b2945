import { expectAccessible, waitForReact } from './support/page.ts'
import { addInPersonEvent } from './support/event-data.ts'
import { expect, expectToast, test } from './support/test.ts'

test.use({ data: 'empty' })
test.describe.configure({ mode: 'serial' })

test('I plan to attend, come back, open a map, and change my mind', async ({ page, adminApi }) => {
  await addInPersonEvent(adminApi, 'Property walk and dinner')
  await page.goto('/')
  const card = page.getByRole('region', { name: 'Next Event' })
  await expect(card.getByRole('heading', { name: 'Property walk and dinner' })).toBeVisible()
  await expect(card.getByText('0 investors attending')).toBeVisible()

  await card.getByRole('button', { name: 'Planning to Attend' }).click()
  await expectToast(page, 'Interest Indicated')
  await expect(card.getByText('1 investor attending')).toBeVisible()

  await page.reload()
  await waitForReact(page)
  await page.getByText('Open in Maps').click()
  await expectAccessible(page)
  await card.getByRole('button', { name: "Can't Attend" }).click()
  await expectToast(page, 'Interest Removed')
  await expect(card.getByText('0 investors attending')).toBeVisible()
})

test('admins reach the portal from the header, and leave', async ({ page, adminApi }) => {
  await page.context().addCookies((await adminApi.storageState()).cookies)
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Admin Portal' })).toHaveAttribute('href', '/admin')
  await page.getByRole('link', { name: 'Admin Portal' }).click()
  await expect(page.getByRole('tab', { name: 'Events', selected: true })).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('region', { name: 'Next Event' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Admin Portal' })).toBeHidden()
})

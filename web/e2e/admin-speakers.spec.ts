import { expectAccessibleEverywhere } from './support/page.ts'
import { addWebinar } from './support/event-data.ts'
import { openPortal } from './support/portal.ts'
import { expect, expectToast, test } from './support/test.ts'

test.use({ data: 'empty' })
// Each test continues with the speakers of the previous one.
test.describe.configure({ mode: 'serial' })

test('without speakers I see how to add one, and do so after the form reports what is missing', async ({
  page,
  adminApi,
}) => {
  await openPortal(page, adminApi, '?tab=speakers')
  await expect(
    page.getByText('No speakers found. Create your first speaker to get started.'),
  ).toBeVisible()
  await expectAccessibleEverywhere(page)
  await page.getByRole('button', { name: 'New Speaker' }).click()
  await expect(page.getByRole('heading', { name: 'Add New Speaker or Event Host' })).toBeVisible()
  await page.getByLabel('Image URL').fill('grace.jpg')
  await page.getByRole('button', { name: 'Create Speaker' }).click()
  await expect(page.getByText('Name is required')).toBeVisible()
  await expect(page.getByText('Title is required')).toBeVisible()
  await expect(page.getByText('Must be a valid URL')).toBeVisible()
  await expect(page.getByLabel('Name')).toBeFocused()
  await expectAccessibleEverywhere(page)

  await page.getByLabel('Name').fill('Martin Lindqvist')
  await page.getByLabel('Title').fill('Managing Partner')
  await page.getByLabel('Speaker type').selectOption('EM Team')
  await page.getByLabel('Image URL').fill('')
  await page.getByLabel('Bio').fill('Buys buildings. Reads every lease himself.')
  await page.getByRole('button', { name: 'Create Speaker' }).click()
  await expectToast(page, 'Speaker created successfully')
  const team = page.getByRole('region', { name: 'EM Team' })
  await expect(
    team.getByRole('button', { name: /Martin Lindqvist.*Managing Partner/ }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'New Speaker' })).toBeFocused()
  await expectAccessibleEverywhere(page)
})

test('a speaker whom I rename is renamed on the calendar, by keyboard alone', async ({
  page,
  adminApi,
}) => {
  await addWebinar(adminApi, 'Reading a rent roll')
  await openPortal(page, adminApi, '?tab=speakers')
  const guests = page.getByRole('region', { name: 'Guest Speakers' })
  await guests.getByRole('button', { name: /Ada Okafor/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Edit Speaker' })).toBeVisible()
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Dr. Ada Lovelace')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Speaker updated successfully')
  await expect(guests.getByRole('button', { name: /Ada Lovelace/ })).toBeFocused()

  await page.goto('/')
  await expect(page.getByText('Dr. Ada Lovelace').first()).toBeVisible()
})

test('the only speaker of an event can’t be deleted, and I follow the link to the event', async ({
  page,
  adminApi,
  consoleMessages,
}) => {
  consoleMessages.allow(/409/)
  await openPortal(page, adminApi, '?tab=speakers')
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('button', { name: 'Delete Speaker' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete Speaker' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: 'Delete' }).click()
  const conflict = page.getByRole('alertdialog', { name: 'This speaker can’t be deleted yet' })
  await expect(conflict.getByRole('listitem').getByText('Reading a rent roll')).toBeVisible()
  await expect(conflict.getByRole('button', { name: 'Close' })).toBeFocused()
  await expectAccessibleEverywhere(page)
  await conflict.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByLabel('Name')).toHaveValue('Dr. Ada Lovelace')

  await page.getByRole('button', { name: 'Delete Speaker' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await conflict.getByRole('link', { name: 'Reading a rent roll' }).click()
  await expect(page.getByRole('heading', { name: 'Edit Event' })).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Reading a rent roll')
})

test('any other speaker is deleted when I confirm', async ({ page, adminApi }) => {
  await openPortal(page, adminApi, '?tab=speakers')
  await page.getByRole('button', { name: /Edit Martin/ }).click()
  await page.getByRole('button', { name: 'Delete Speaker' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Speaker deleted successfully')
  await expect(page.getByRole('button', { name: /Edit Martin/ })).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a portrait that I upload is on the calendar', async ({ page, adminApi }) => {
  await openPortal(page, adminApi, '?tab=speakers')
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  // Any image will do, such as one of the page.
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 400, height: 500 } })
  const file = page.locator('input[type="file"]')
  await file.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer })
  await expect(
    page.getByText('An image must be a JPEG, PNG or WebP file of at most 8 MB', { exact: true }),
  ).toBeVisible()
  await file.setInputFiles({ name: 'ada.png', mimeType: 'image/png', buffer })
  await expect(page.getByLabel('Image URL')).toHaveValue(/^\/pictures\/.+/)
  await expect(page.locator('form img')).toBeVisible()
  await page.getByRole('button', { name: 'Update Speaker' }).click()
  await expectToast(page, 'Speaker updated successfully')
  await page.goto('/')
  await expect(page.locator('main img[src^="/pictures/"]').first()).toBeVisible()
})

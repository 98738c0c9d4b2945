import { expectAccessibleEverywhere, openPortal, toast } from './support/portal.ts'
import { expect, test } from './support/test.ts'

test.use({ data: 'empty' })

test('I change the hero’s words and visitors see them', async ({ page, adminApi }) => {
  await openPortal(page, adminApi, '?tab=cms')
  await expect(page.getByRole('heading', { name: 'Calendar Page Content' })).toBeVisible()
  await expect(page.getByText('Event Calendar')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await page.getByRole('button', { name: 'Edit Content' }).click()

  const title = page.getByLabel('Title', { exact: true })
  await title.fill('x'.repeat(121))
  await expect(page.getByText('121 / 120')).toBeVisible()
  await page.getByLabel('Subtitle').fill('  ')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Hero title must be 120 characters or less')).toBeVisible()
  await expect(page.getByText('Hero subtitle is required')).toBeVisible()
  await expect(page.getByText('Both title and subtitle are required')).toBeVisible()
  await expect(title).toBeFocused()
  await expectAccessibleEverywhere(page)

  await title.fill('Lit windows')
  await expect(page.getByText('11 / 120')).toBeVisible()
  await page.getByLabel('Subtitle').fill('Evenings about buildings.')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toast(page, 'Page content updated successfully')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit Content' })).toBeFocused()
  await expect(page.getByText('Evenings about buildings.')).toBeVisible()

  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Lit windows' })).toBeVisible()
})

test('what can’t be saved stays, with the reason', async ({ page, adminApi, quietConsole }) => {
  quietConsole.expectProblem(/503/)
  await openPortal(page, adminApi, '?tab=cms&content=new')
  await page.route('**/api/page-content/home', (route) =>
    route.fulfill({ status: 503, body: '{}' }),
  )
  await page.getByLabel('Title', { exact: true }).fill('Kept')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByRole('alert')).toContainText(/Error/)
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Kept')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('button', { name: 'Edit Content' })).toBeVisible()
})

import { expectAccessible, expectAccessibleEverywhere, expectHeadingOfTab } from './support/page.ts'
import { openPortal } from './support/portal.ts'
import { expect, expectToast, test } from './support/test.ts'

test.use({ data: 'empty' })

test('I change the hero text and visitors see it', async ({ page, adminApi }) => {
  await openPortal(page, adminApi, '?tab=cms')
  await expect(page.getByRole('heading', { name: 'Calendar Page Content' })).toBeVisible()
  await expect(page.getByText('Event Calendar')).toBeVisible()
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
  await expectToast(page, 'Page content updated successfully')
  await expect(page.getByRole('button', { name: 'Edit Content' })).toBeFocused()
  await expect(page.getByText('Evenings about buildings.')).toBeVisible()

  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Lit windows' })).toBeVisible()
})

test('offline I see a message and can try again', async ({ page, adminApi, consoleMessages }) => {
  consoleMessages.allow(/ERR_INTERNET_DISCONNECTED/)
  await openPortal(page, adminApi, '?tab=analytics')
  await page.context().setOffline(true)
  await page.getByRole('tab', { name: 'Calendar CMS' }).click()
  await expect(page.getByText('Failed to load page content')).toBeVisible()
  await expectAccessible(page)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('button', { name: 'Edit Content' })).toBeVisible()
})

test('I copy the code that embeds the calendar in another site', async ({
  page,
  adminApi,
  baseURL,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openPortal(page, adminApi, '?tab=cms')
  const embed = page.getByRole('region', { name: 'Embed this calendar' })
  await embed.getByLabel('Events').selectOption('IRA-Related Webinars')
  await embed.getByLabel('Theme').selectOption('Dark')
  await embed.getByLabel('View').selectOption('List')
  await embed.getByRole('button', { name: 'Copy the code' }).click()
  await expect(embed.getByText('Code copied')).toBeVisible()
  const code = [
    '<div data-lectern-embed data-type="ira-related-webinars" data-theme="dark" data-view="list"></div>',
    `<script async src="${baseURL ?? ''}/embed.js"></script>`,
  ].join('\n')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
  await expect(embed.getByLabel('Code for the other site')).toHaveValue(code)

  const preview = page.waitForEvent('popup')
  await embed.getByRole('link', { name: 'See how it looks' }).click()
  const shown = await preview
  expect(shown.url()).toBe(`${baseURL ?? ''}/embed?type=ira-related-webinars&theme=dark&view=list`)
  await expectHeadingOfTab(shown, '[data-theme="dark"] h2')
})

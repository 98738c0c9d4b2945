import { expectAccessibleInBothThemes, open } from './support/page.ts'
import { expect, test } from './support/test.ts'

test('I put the next event into my calendar', async ({ page }) => {
  await open(page, '/')
  const card = page.getByRole('region', { name: 'Next Event' })
  const opener = card.getByRole('link', { name: 'Add to Calendar' })
  await expect(opener).toHaveAttribute('href', /^\/events\/\d+-.+\.ics$/)
  await opener.click()
  const menu = page.getByRole('group', { name: 'Add to Calendar' })
  const google = menu.getByRole('link', { name: /^Google Calendar/ })
  await expect(google).toBeFocused()
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
  await expect(google).toHaveAttribute('href', /^https:\/\/calendar\.google\.com\/calendar\/render/)
  await page.keyboard.press('ArrowDown')
  await expect(menu.getByRole('link', { name: /^Outlook/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(opener).toBeFocused()

  await opener.click()
  await expect(menu).toBeVisible()
  await opener.click()
  await expect(menu).toBeHidden()
})

test('my calendar subscribes to one type', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(page, '/calendar')
  await page.getByRole('combobox', { name: 'Event type' }).selectOption('Special')
  await page.getByRole('link', { name: 'Subscribe to this calendar' }).click()
  const menu = page.getByRole('group', { name: 'Subscribe to Special' })
  await expect(menu.getByRole('link', { name: 'Apple Calendar' })).toHaveAttribute(
    'href',
    /^webcal:\/\/127\.0\.0\.1:\d+\/calendar\.ics\?type=special$/,
  )
  await expect(menu.getByText(/^Google refreshes/)).toBeVisible()
  await menu.getByRole('button', { name: 'Copy the link' }).click()
  await expect(menu.getByText('Link copied')).toBeVisible()
  const url = await page.evaluate(() => navigator.clipboard.readText())
  const response = await page.request.get(url)
  expect(response.headers()['content-type']).toContain('text/calendar')
  expect((await page.request.get('/feed.xml')).headers()['content-type']).toContain('atom')
})

test('the menus are accessible on a phone and on a desktop, and fit the narrowest one', async ({
  page,
}) => {
  await open(page, '/')
  for (const name of ['Add to Calendar', 'Subscribe to this calendar']) {
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByRole('link', { name }).first().click()
      const menu = page.getByRole('group', { name })
      await expect(menu).toBeVisible()
      const box = await menu.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      if (width > 320) await expectAccessibleInBothThemes(page)
      await page.keyboard.press('Escape')
      await expect(menu).toBeHidden()
    }
  }
})

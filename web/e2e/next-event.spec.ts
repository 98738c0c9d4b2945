import { expectAccessible, open } from './support/page.ts'
import { addInPersonEvent, addWebinar } from './support/season.ts'
import { expect, test } from './support/test.ts'

// Settings of its own give this file a server of its own, which no other file has written to.
test.use({ data: 'empty', config: '# next-event.spec.ts' })
test.describe.configure({ mode: 'serial' })

test('without events I am asked to stay tuned', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Stay Tuned for Upcoming Events' })).toBeVisible()
  const more = page.getByRole('link', { name: 'Learn More (opens in a new tab)' })
  await expect(more).toHaveAttribute('target', '_blank')
})

test('I register for an online event in a new tab', async ({ page, adminApi }) => {
  await addWebinar(adminApi, 'Reading an operating agreement')
  await page.goto('/')
  const link = page.getByRole('link', { name: 'Register Now (opens in a new tab)' })
  await expect(link).toHaveAttribute('href', 'https://example.com/register')
  await expect(link).toHaveAttribute('target', '_blank')
  const card = page.getByRole('region', { name: 'Next Event' })
  await expect(card.getByText('6:00 PM MT')).toBeVisible()
  await expect(card.getByText('8:00 PM ET / 5:00 PM PT')).toBeVisible()
})

test('I plan to attend, come back, and change my mind', async ({ page, adminApi }) => {
  await addInPersonEvent(adminApi, 'Property walk and dinner')
  await page.goto('/')
  const card = page.getByRole('region', { name: 'Next Event' })
  await expect(card.getByRole('heading', { name: 'Property walk and dinner' })).toBeVisible()
  await expect(card.getByText('0 investors attending')).toBeVisible()

  await card.getByRole('button', { name: 'Planning to Attend' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Interest Indicated' })).toBeVisible()
  await expect(card.getByText('1 investor attending')).toBeVisible()

  await page.reload()
  await card.getByRole('button', { name: "Can't Attend" }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Interest Removed' })).toBeVisible()
  await expect(card.getByText('0 investors attending')).toBeVisible()
})

test('I find the way to the venue', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Open in Maps' }).click()
  await expect(page.getByRole('link', { name: /^Open in Google Maps/ })).toHaveAttribute(
    'href',
    /query=The%20Arcadia%20House.*Scottsdale/,
  )
  await page.getByRole('button', { name: /^The Arcadia House/ }).focus()
  await expect(page.getByRole('tooltip', { includeHidden: true })).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('link', { name: /^Open in Apple Maps/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open in Maps' })).toBeHidden()
})

test('the card of an in-person event is accessible', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page, '/')
  await page.getByRole('button', { name: 'Open in Maps' }).click()
  await expectAccessible(page)
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

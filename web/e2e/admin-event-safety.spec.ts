import { addEvent, button, card, fillIn, openEvents } from './support/events-tab.ts'
import { admin } from './support/lectern.ts'
import { open } from './support/page.ts'
import { expectAccessibleEverywhere, toast } from './support/portal.ts'
import { expect, test } from './support/test.ts'

test('when my session ends while I save an event, I sign in again and it is saved', async ({
  page,
  adminApi,
  lectern,
  quietConsole,
}) => {
  quietConsole.expectProblem(/401/)
  await openEvents(page, adminApi, '?event=new')
  await fillIn(page, 'Saved after all')
  await page.getByLabel('Registration URL').fill('https://example.com/after-all')
  lectern.resetPassword()
  await button(page, 'Create Event').click()

  const dialog = page.getByRole('dialog', { name: 'You are signed out' })
  await expect(dialog.getByLabel('Email')).toHaveValue(admin.email)
  await expect(page.locator('input[name="title"]')).toHaveValue('Saved after all')
  await expectAccessibleEverywhere(page)
  await dialog.getByLabel('Password').fill(admin.password)
  await button(dialog, 'Sign In').click()
  await expect(toast(page, 'Event created successfully')).toBeVisible()
  await expect(card(page, 'Saved after all')).toBeVisible()
})

test('when I don’t sign in again, all that I typed stays', async ({
  page,
  adminApi,
  lectern,
  quietConsole,
}) => {
  quietConsole.expectProblem(/401/)
  await addEvent(adminApi, 'Before the session ended')
  await openEvents(page, adminApi, '?q=before+the+session')
  await button(page, 'Edit Before the session ended').click()
  await page.getByLabel('Description').fill('A long description, typed with care.')
  lectern.resetPassword()
  await button(page, 'Update Event').click()
  await button(page, 'Not Now').click()
  await expect(page.getByLabel('Description')).toHaveValue('A long description, typed with care.')

  // Neither may a reload take it unasked.
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => {
    setTimeout(() => {
      window.location.reload()
    })
  })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await expect(page.getByLabel('Description')).toHaveValue('A long description, typed with care.')

  await button(page, 'Update Event').click()
  const dialog = page.getByRole('dialog', { name: 'You are signed out' })
  await dialog.getByLabel('Email').fill(admin.email)
  await dialog.getByLabel('Password').fill(admin.password)
  await button(dialog, 'Sign In').click()
  await expect(toast(page, 'Event updated successfully')).toBeVisible()
})

test('a picture of the venue that I upload is on the event’s page', async ({ page, adminApi }) => {
  await openEvents(page, adminApi, '?event=new')
  await fillIn(page, 'In the house in the picture')
  await page.getByLabel('Event type').selectOption('In-Person Events')
  await page.getByLabel('Venue name').fill('The Arcadia House')
  // A picture is at hand: the page itself.
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 640, height: 480 } })
  const file = page.locator('input[type="file"]')
  await file.setInputFiles({ name: 'house.png', mimeType: 'image/png', buffer })
  const field = page.getByLabel('Venue image URL')
  await expect(field).toHaveValue(/^\/pictures\/.+/)
  const address = await field.inputValue()
  await button(page, 'Create Event').click()
  await expect(toast(page, 'Event created successfully')).toBeVisible()
  const events = (await (await adminApi.get('/api/events')).json()) as {
    title: string
    path: string
  }[]
  const path = events.find(({ title }) => title === 'In the house in the picture')?.path
  await open(page, path ?? '')
  await expect(page.locator(`main img[src^="${address}"]`).first()).toBeVisible()
})

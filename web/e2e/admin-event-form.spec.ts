import type { Page } from '@playwright/test'
import { fakeMaps } from './support/fake-maps.ts'
import { admin } from './support/lectern.ts'
import { expectAccessibleEverywhere, open, showMonthOfDay } from './support/page.ts'
import { addEvent, button, fillIn, openEvents, signIn } from './support/portal.ts'
import { expect, expectToast, openSecondBrowser, test } from './support/test.ts'

test('I create an online event and visitors see it', async ({ page, adminApi }) => {
  await openEvents(page, adminApi)
  await button(page, 'Create New Event').click()
  await expect(page.getByRole('heading', { name: 'Create New Event' })).toBeVisible()
  await expect(button(page, 'Create New Event')).toBeHidden()
  await expect(page.getByLabel('Title')).toBeFocused()
  await fillIn(page, 'Reading a rent roll online')
  await page.getByLabel('Registration URL').fill('https://example.com/rent-roll')
  await button(page, 'Create Event').click()

  await expectToast(page, 'Event created successfully')
  await expect(page.getByRole('heading', { name: 'Reading a rent roll online' })).toBeFocused()
  await page.getByRole('link', { name: 'View Calendar' }).click()
  const shown = page.getByRole('link', { name: /^Reading a rent roll online/ })
  await showMonthOfDay(page, 3)
  await expect(shown.first()).toBeVisible()
})

test('I create an in-person event with its venue', async ({ page, adminApi }) => {
  await openEvents(page, adminApi)
  await button(page, 'Create New Event').click()
  await fillIn(page, 'A walk in the park', 0)
  await page.getByLabel('Time', { exact: true }).fill('23:59')
  await page.getByLabel('Event type').selectOption('In-Person Events')
  await expect(page.getByLabel('Registration URL')).toBeHidden()
  await page.getByLabel('Venue name').fill('The Arcadia House')
  await page.getByLabel('City').fill('Scottsdale')
  await button(page, 'Create Event').click()
  await expectToast(page, 'Event created successfully')

  await open(page, '/')
  await expect(page.getByRole('region', { name: 'Next Event' })).toContainText('A walk in the park')
  await expect(page.getByRole('region', { name: 'Next Event' })).toContainText('The Arcadia House')
})

test('two admins change different fields of one event, and both changes are saved', async ({
  browser,
  page,
  adminApi,
  lectern,
  consoleMessages,
}) => {
  consoleMessages.allow(/409 .*\/api\/events\/\d+$/)
  const id = await addEvent(adminApi, 'Edited by two')
  await openEvents(page, adminApi, '?q=edited+by+two')
  await button(page, 'Edit Edited by two').click()
  await page.getByLabel('Description').fill('My description.')
  const theirs = await openSecondBrowser(browser, lectern)
  await signIn(theirs, adminApi)
  await theirs.goto(`/admin?event=${id}`)
  await theirs.getByLabel('Title').fill('Edited by two, renamed')
  await button(theirs, 'Update Event').click()
  await expectToast(theirs, 'Event updated successfully')
  await theirs.close()

  await button(page, 'Update Event').click()
  await expectToast(page, 'Event updated successfully. Somebody else’s changes were kept: Title')
  const events = (await (await adminApi.get('/api/events')).json()) as {
    id: number
    title: string
    description: string
  }[]
  expect(events.find((event) => event.id === id)).toMatchObject({
    title: 'Edited by two, renamed',
    description: 'My description.',
  })
})

test('two admins change the same field of one event, and the second chooses', async ({
  page,
  adminApi,
  consoleMessages,
}) => {
  consoleMessages.allow(/409 .*\/api\/events\/\d+$/)
  const id = await addEvent(adminApi, 'Wanted by two')
  await openEvents(page, adminApi, `?event=${id}`)
  await page.getByLabel('Summary').fill('My summary.')
  await page.getByLabel('Title').fill('Wanted by me')
  const events = (await (await adminApi.get('/api/events')).json()) as ({ id: number } & object)[]
  const stored = events.find((event) => event.id === id) as unknown as {
    revision: number
    speakers: { speakerId: number }[]
  }
  const theirs = { ...stored, title: 'Wanted by somebody else' }
  const speakerIds = stored.speakers.map(({ speakerId }) => speakerId)
  const { revision } = stored
  const data = { event: theirs, speakerIds, revision }
  expect((await adminApi.put(`/api/events/${id}`, { data })).ok()).toBe(true)

  await button(page, 'Update Event').click()
  const dialog = page.getByRole('dialog', { name: /This event was changed/ })
  await expect(dialog.getByRole('group', { name: 'Summary' })).toBeHidden()
  await expect(dialog.getByRole('group', { name: 'Title' }).getByLabel(/^Yours/)).toBeChecked()
  await expectAccessibleEverywhere(page)
  await dialog
    .getByRole('group', { name: 'Title' })
    .getByLabel(/^Theirs/)
    .check()
  await button(dialog, 'Save This Version').click()
  await expectToast(page, 'Event updated successfully')
  await expect(page.getByRole('heading', { name: 'Wanted by somebody else' })).toBeFocused()
})

test('I create an event by keyboard alone', async ({ page, adminApi }) => {
  await openEvents(page, adminApi)
  await button(page, 'Create New Event').press('Enter')
  await expect(page.getByLabel('Title')).toBeFocused()
  await page.keyboard.type('Typed, not clicked')
  await page.getByLabel('Summary').focus()
  await page.keyboard.type('By keyboard.')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Every key of it.')
  await page.getByLabel('Registration URL').focus()
  await page.keyboard.type('https://example.com/keys')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Add a speaker or host' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(button(page, /^Remove /)).toHaveCount(2)
  await page.keyboard.press('Backspace')
  await expect(button(page, /^Remove /)).toHaveCount(1)
  await button(page, 'Create Event').press('Enter')
  await expectToast(page, 'Event created successfully')
})

test('without a key no venue search is loaded, and I enter the venue by hand', async ({
  page,
  adminApi,
}) => {
  const maps = await fakeMaps(page)
  await openEvents(page, adminApi, '?event=new')
  await page.getByLabel('Event type').selectOption('In-Person Events')
  await expect(page.getByLabel('Venue name')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Find a venue' })).toBeHidden()
  expect(maps.requests).toEqual([])
  page.on('dialog', (dialog) => void dialog.accept())
})

test('when my session ends I decline to sign in, and my input stays', async ({
  page,
  adminApi,
  lectern,
  consoleMessages,
}) => {
  consoleMessages.allow(/401/)
  await addEvent(adminApi, 'Before the session ended')
  await openEvents(page, adminApi, '?q=before+the+session')
  await button(page, 'Edit Before the session ended').click()
  await page.getByLabel('Description').fill('A long description, typed with care.')
  lectern.resetPassword()
  await button(page, 'Update Event').click()
  await button(page, 'Not Now').click()
  await expectToast(page, 'Authentication required')
  await expect(page.getByLabel('Description')).toHaveValue('A long description, typed with care.')

  await button(page, 'Update Event').click()
  const dialog = page.getByRole('dialog', { name: 'You are signed out' })
  await dialog.getByLabel('Email').fill(admin.email)
  await dialog.getByLabel('Password').fill(admin.password)
  await button(dialog, 'Sign In').click()
  await expectToast(page, 'Event updated successfully')
})

test('an image of the venue that I upload is on the event’s page', async ({ page, adminApi }) => {
  await openEvents(page, adminApi, '?event=new')
  await fillIn(page, 'At an illustrated venue')
  await page.getByLabel('Event type').selectOption('In-Person Events')
  await page.getByLabel('Venue name').fill('The Arcadia House')
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 640, height: 480 } })
  const file = page.locator('input[type="file"]')
  await file.setInputFiles({ name: 'venue.png', mimeType: 'image/png', buffer })
  const field = page.getByLabel('Venue image URL')
  await expect(field).toHaveValue(/^\/pictures\/.+/)
  const url = await field.inputValue()
  await button(page, 'Create Event').click()
  await expectToast(page, 'Event created successfully')
  const events = (await (await adminApi.get('/api/events')).json()) as {
    title: string
    path: string
  }[]
  const path = events.find(({ title }) => title === 'At an illustrated venue')?.path
  await open(page, path ?? '')
  await expect(page.locator(`main img[src^="${url}"]`).first()).toBeVisible()
})

test('why an event could not be saved stays in view, above the button', async ({
  page,
  adminApi,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_FAILED/)
  await page.setViewportSize({ width: 390, height: 844 })
  await openEvents(page, adminApi, '?event=new')
  await fillIn(page, 'Not saved yet')
  await page.getByLabel('Registration URL').fill('https://example.com/rent-roll')
  await page.route('**/api/events', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await button(page, 'Create Event').click()
  const reason = page.getByRole('alert').filter({ hasText: 'What you typed is kept' })
  await expect(reason).toBeInViewport({ ratio: 1 })
  const distance = async () => {
    const [text, save] = [
      await reason.boundingBox(),
      await button(page, 'Create Event').boundingBox(),
    ]
    return text && save ? save.y - text.y - text.height : NaN
  }
  await expect.poll(distance).toBeGreaterThanOrEqual(0)
})

/** Saves a new draft and returns a function that lets the request reach the server. */
async function saveSlowly(page: Page, title: string): Promise<() => void> {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/events', async (route) => {
    if (route.request().method() === 'POST') await released
    await route.continue()
  })
  await button(page, 'Create New Event').click()
  await page.getByLabel('Title').fill(title)
  await button(page, 'Save Draft').click()
  return release
}

test('a save that ends after its form was left does not close another form', async ({
  page,
  adminApi,
}) => {
  await openEvents(page, adminApi)
  const release = await saveSlowly(page, 'Saved slowly')
  await page.goBack()
  const question = page.getByRole('alertdialog', { name: 'Leave while saving?' })
  await expect(question.getByText(/a message tells you whether that worked/)).toBeVisible()
  await button(page, 'Leave').click()
  await button(page, 'Create New Event').click()
  await expect(button(page, 'Restore')).toBeVisible()
  await page.getByLabel('Title').fill('Typed since')
  release()
  await expectToast(page, 'Event created successfully')
  await expect(page.getByLabel('Title')).toHaveValue('Typed since')
  await expect(button(page, 'Restore')).toBeHidden()
})

test('the question about a running save is closed when the save has ended', async ({
  page,
  adminApi,
}) => {
  await openEvents(page, adminApi)
  const release = await saveSlowly(page, 'Saved meanwhile')
  await page.getByRole('tab', { name: 'Users' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave while saving?' })
  await expect(button(question, 'Stay')).toBeFocused()
  release()
  await expectToast(page, 'Event created successfully')
  await expect(question).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Saved meanwhile' })).toBeVisible()
  await expect(page).not.toHaveURL(/tab=users/)
})

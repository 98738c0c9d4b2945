import type { APIRequestContext, Page } from '@playwright/test'
import { daysFromToday } from './support/event-data.ts'
import { expectAccessibleEverywhere, open } from './support/page.ts'
import { addEvent, button, card, fillIn, find, openEvents } from './support/portal.ts'
import { expect, expectToast, openSecondBrowser, test } from './support/test.ts'

/** The path of an event's page. */
async function pathOf(api: APIRequestContext, id: number): Promise<string> {
  const lists = await Promise.all(
    ['/api/events', '/api/events/unpublished'].map((path) => api.get(path)),
  )
  const events = (await Promise.all(lists.map((list) => list.json()))) as {
    id: number
    path: string
  }[][]
  return events.flat().find((event) => event.id === id)?.path ?? ''
}

async function publicTitles(page: Page): Promise<string[]> {
  const events = (await (await page.request.get('/api/events')).json()) as { title: string }[]
  return events.map(({ title }) => title)
}

/** Opens the form of an event from the list. */
async function edit(page: Page, api: APIRequestContext, title: string): Promise<void> {
  await openEvents(page, api, `?q=${encodeURIComponent(title)}`)
  await button(page, `Edit ${title}`).click()
  await expect(page.getByRole('heading', { name: 'Edit Event' })).toBeVisible()
}

/** Changes the status of an event in its form. */
async function setStatus(page: Page, api: APIRequestContext, title: string, status: string) {
  await edit(page, api, title)
  await page.getByLabel('Status').selectOption(status)
  await button(page, 'Update Event').click()
  await expectToast(page, 'Event updated successfully')
}

test('I start a draft with only a title, and visitors do not see it until I publish it', async ({
  page,
  adminApi,
}) => {
  const title = 'Only an idea so far'
  await openEvents(page, adminApi)
  await button(page, 'Create New Event').click()
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Status').selectOption('Draft')
  await expect(page.getByText('A draft needs nothing but a title.')).toBeVisible()
  await button(page, 'Create Event').click()
  await expectToast(page, 'Event created successfully')
  await expect(card(page, title).getByText('Draft', { exact: true })).toBeVisible()
  expect(await publicTitles(page)).not.toContain(title)

  await button(page, `Edit ${title}`).click()
  await page.getByLabel('Status').selectOption('Published')
  await button(page, 'Update Event').click()
  await expect(page.getByText('Summary is required')).toBeVisible()
  await fillIn(page, title)
  await page.getByLabel('Registration URL').fill('https://example.com/idea')
  await button(page, 'Update Event').click()
  await expectToast(page, 'Event updated successfully')
  await expect(card(page, title).getByText('Draft', { exact: true })).toBeHidden()
  expect(await publicTitles(page)).toContain(title)
})

test('I send a colleague without an account the preview of a draft', async ({
  browser,
  page,
  adminApi,
  lectern,
}) => {
  const title = 'Shown to a colleague first'
  const id = await addEvent(adminApi, title, { status: 'draft' })
  await edit(page, adminApi, title)
  await button(page, 'Get Preview Link').click()
  const field = page.getByLabel('Preview link')
  await expect(field).toBeFocused()
  const link = await field.inputValue()

  const colleague = await openSecondBrowser(browser, lectern)
  await open(colleague, link)
  await expect(colleague.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(colleague.getByRole('link', { name: /^Register Now/ })).toBeVisible()
  await expect(colleague).toHaveTitle(/^Preview: /)
  await expect(colleague.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await expectAccessibleEverywhere(colleague)
  const response = await colleague.request.get(await pathOf(adminApi, id))
  expect(response.status()).toBe(404)

  await expectAccessibleEverywhere(page)
  await button(page, 'End This Link').click()
  await expectToast(page, 'The preview link no longer works')
  expect((await colleague.request.get(link)).status()).toBe(404)
  await colleague.close()
})

test('I see the preview of a draft that has no date yet', async ({ page, adminApi }) => {
  const created = await adminApi.post('/api/events', {
    data: { event: { title: 'Without a date', status: 'draft' } },
  })
  const { id } = (await created.json()) as { id: number }
  const link = await adminApi.post(`/api/events/${id}/preview-link`)
  const { path } = (await link.json()) as { path: string }
  await open(page, path)
  await expect(page.getByText('To be announced')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await openEvents(page, adminApi, '?q=without+a+date')
  await expect(card(page, 'Without a date').getByText('No date yet')).toBeVisible()
})

test('I schedule an event, and the list says when it appears', async ({ page, adminApi }) => {
  const title = 'Comes out next week'
  await addEvent(adminApi, title, { status: 'draft', date: daysFromToday(20) })
  await edit(page, adminApi, title)
  await page.getByLabel('Status').selectOption('Scheduled')
  await button(page, 'Update Event').click()
  await expect(page.getByText('Publication date and time are required')).toBeVisible()
  await expect(page.getByLabel('Publish at')).toBeFocused()
  await page.getByLabel('Publish at').fill(`${daysFromToday(7)}T09:00`)
  await button(page, 'Update Event').click()
  await expectToast(page, 'Event updated successfully')
  await expect(
    card(page, title).getByText(/^Scheduled: visible from .*, 9:00 AM ET$/),
  ).toBeVisible()
  expect(await publicTitles(page)).not.toContain(title)

  await find(page, '')
  await page.getByLabel('Show', { exact: true }).selectOption('Scheduled')
  // One event is shown before the filter applies, too.
  await expect(page).toHaveURL(/\?when=scheduled$/)
  await expect(page.getByRole('article')).toHaveCount(1)
  await button(page, `Edit ${title}`).click()
  await expect(page.getByLabel('Publish at')).toHaveValue(`${daysFromToday(7)}T09:00`)
})

test('a publication time that makes no sense is pointed out before I save', async ({
  page,
  adminApi,
}) => {
  const title = 'Announced too late'
  const [before, day, after] = [daysFromToday(19), daysFromToday(20), daysFromToday(22)]
  await addEvent(adminApi, title, { status: 'draft', date: day, time: '19:00' })
  await edit(page, adminApi, title)
  await page.getByLabel('Status').selectOption('Scheduled')
  const publishAt = page.getByLabel('Publish at')
  const hasPassed = page.getByText('This time has passed: the event is published when you save.')
  const isLate = page.getByText('The event begins before it is published.')
  await publishAt.fill('2020-01-01T09:00')
  await expect(hasPassed).toBeVisible()
  await publishAt.fill(`${day}T19:30`)
  await expect(hasPassed).toBeHidden()
  await expect(isLate).toBeVisible()
  await expectAccessibleEverywhere(page)

  await publishAt.fill(`${after}T09:00`)
  await button(page, 'Update Event').click()
  await expect(publishAt).toBeFocused()
  await expect(publishAt).toHaveAccessibleDescription(
    /Publication time must be before the end of the event/,
  )
  await publishAt.fill(`${before}T09:00`)
  await expect(isLate).toBeHidden()
  await button(page, 'Update Event').click()
  await expectToast(page, 'Event updated successfully')
})

test('I cancel an event, and visitors see it everywhere and cannot register', async ({
  page,
  adminApi,
}) => {
  const title = 'A talk that falls through'
  const id = await addEvent(adminApi, title, { date: daysFromToday(2) })
  await setStatus(page, adminApi, title, 'Cancelled')
  await expect(card(page, title).getByText('Cancelled')).toBeVisible()
  await button(page, `Edit ${title}`).click()
  await page.getByText('Activity').click()
  await expect(page.getByText(/cancelled it,/)).toBeVisible()

  await open(page, await pathOf(adminApi, id))
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(page.getByText('This event is cancelled.')).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^Cancelled: ${title} — `))
  await expect(page.getByRole('link', { name: /^Register Now/ })).toBeHidden()
  await expect(page.getByText('Add to Calendar')).toBeHidden()
  const data = await page.locator('script[type="application/ld+json"]').textContent()
  expect(data).toContain('EventCancelled')
  await expectAccessibleEverywhere(page)

  await open(page, `/calendar?month=${daysFromToday(2).slice(0, 7)}`)
  const chip = page.getByRole('link', { name: new RegExp(`^${title}, .*, Cancelled$`) })
  await chip.first().click()
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(dialog.getByRole('link', { name: /^Register Now/ })).toBeHidden()
  await expectAccessibleEverywhere(page)
})

test('I postpone an in-person event, and visitors can no longer plan to attend', async ({
  page,
  adminApi,
}) => {
  const title = 'A walk for another day'
  const id = await addEvent(adminApi, title, { type: 'In-Person Events', status: 'postponed' })
  await open(page, await pathOf(adminApi, id))
  await expect(page.getByText('Postponed', { exact: true })).toBeVisible()
  await expect(button(page, 'Planning to Attend')).toBeDisabled()
  await expect(button(page, 'Planning to Attend')).toHaveAccessibleDescription(
    'This event is postponed.',
  )
  await expectAccessibleEverywhere(page)
})

test('I see the preview of an in-person event with its attendance', async ({ page, adminApi }) => {
  const title = 'A walk behind closed doors'
  const id = await addEvent(adminApi, title, { type: 'In-Person Events', status: 'hidden' })
  const link = await adminApi.post(`/api/events/${id}/preview-link`)
  const { path } = (await link.json()) as { path: string }
  await open(page, path)
  await expect(button(page, 'Planning to Attend')).toBeDisabled()
  await expect(button(page, 'Planning to Attend')).toHaveAccessibleDescription(
    'This is a preview: visitors do not see this event.',
  )
  await expect(page.getByText('0 investors attending')).toBeVisible()
  await expectAccessibleEverywhere(page)
})

test('I hide an event and show it again', async ({ page, adminApi }) => {
  const title = 'Not for the public today'
  await addEvent(adminApi, title)
  await setStatus(page, adminApi, title, 'Hidden')
  await expect(card(page, title).getByText('Hidden', { exact: true })).toBeVisible()
  expect(await publicTitles(page)).not.toContain(title)
  await setStatus(page, adminApi, title, 'Published')
  expect(await publicTitles(page)).toContain(title)
})

test('I add the recording, and visitors watch it after the event', async ({ page, adminApi }) => {
  const title = 'A talk of last week'
  const id = await addEvent(adminApi, title, { date: daysFromToday(-7) })
  await edit(page, adminApi, title)
  await page.getByLabel('Recording URL').fill('video.example.com')
  await button(page, 'Update Event').click()
  await expect(page.getByText('Must be a valid URL')).toBeVisible()
  await page.getByLabel('Recording URL').fill('https://video.example.com/talk')
  await button(page, 'Update Event').click()
  await expectToast(page, 'Event updated successfully')

  await open(page, await pathOf(adminApi, id))
  const recording = page.getByRole('link', { name: /^Watch the recording/ })
  await expect(recording).toHaveAttribute('href', 'https://video.example.com/talk')
  await expect(page.getByRole('link', { name: /^Register Now/ })).toBeVisible()
  await expectAccessibleEverywhere(page)
})

test('I see how many plan to attend, how that changed, and download the counts', async ({
  page,
  adminApi,
}) => {
  const title = 'A walk that fills up'
  const id = await addEvent(adminApi, title, { type: 'In-Person Events' })
  for (const visitor of ['user_1_a', 'user_1_b']) {
    await adminApi.put(`/api/events/${id}/interest`, { data: { action: 'add', userId: visitor } })
  }
  await openEvents(page, adminApi, `?q=${encodeURIComponent(title)}`)
  await expect(card(page, title).getByText('2 investors attending')).toBeVisible()
  const waiting = page.waitForEvent('download')
  await button(page, 'Attendance (CSV)').click()
  const file = await (await waiting).createReadStream()
  const chunks: Buffer[] = []
  for await (const chunk of file) chunks.push(chunk as Buffer)
  const csv = Buffer.concat(chunks).toString()
  expect(csv.split('\r\n')[1]).toMatch(/^"A walk that fills up",.*,"Published","2"$/)

  await button(page, `Edit ${title}`).click()
  const table = page.getByRole('table', { name: 'Attendance by day' })
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(table.getByRole('cell', { name: '2' })).toBeAttached()
  await expectAccessibleEverywhere(page)
})

test('I schedule an event with the keyboard alone on a phone', async ({ page, adminApi }) => {
  const title = 'From the train'
  await addEvent(adminApi, title, { status: 'draft', date: daysFromToday(40) })
  await page.setViewportSize({ width: 390, height: 844 })
  await openEvents(page, adminApi, `?q=${encodeURIComponent(title)}`)
  await button(page, `Edit ${title}`).press('Enter')
  await page.getByLabel('Status').focus()
  await page.keyboard.press('S')
  await expect(page.getByLabel('Status')).toHaveValue('scheduled')
  await page.getByLabel('Publish at').fill(`${daysFromToday(30)}T08:30`)
  await page.getByLabel('Title').press('Enter')
  await expectToast(page, 'Event updated successfully')
  await expect(card(page, title).getByText(/^Scheduled: visible from/)).toBeVisible()
  await expectAccessibleEverywhere(page)
})

test('I share a draft and cancel an event with the keyboard alone on a phone', async ({
  page,
  adminApi,
}) => {
  const title = 'From the same train'
  await addEvent(adminApi, title, { status: 'draft', date: daysFromToday(2) })
  await page.setViewportSize({ width: 390, height: 844 })
  await openEvents(page, adminApi, `?q=${encodeURIComponent(title)}`)
  await button(page, `Edit ${title}`).press('Enter')
  await button(page, 'Get Preview Link').press('Enter')
  await expect(page.getByLabel('Preview link')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(button(page, 'Copy Link')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: /^Open Preview/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectToast(page, 'The preview link no longer works')
  await expect(button(page, 'Get Preview Link')).toBeFocused()

  await page.getByLabel('Status').focus()
  await page.keyboard.press('C')
  await expect(page.getByLabel('Status')).toHaveValue('cancelled')
  await page.getByLabel('Title').press('Enter')
  await expectToast(page, 'Event updated successfully')
  await expect(card(page, title).getByText('Cancelled')).toBeVisible()
})

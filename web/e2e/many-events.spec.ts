import type { APIRequestContext, Page } from '@playwright/test'
import { daysFromToday } from './support/event-data.ts'
import { expectAccessibleEverywhere, expectNoSidewaysScroll } from './support/page.ts'
import { addEvent, button, card, fillIn, openEvents } from './support/portal.ts'
import { expect, expectToast, test } from './support/test.ts'

/** Adds events with numbered titles. */
async function addEvents(api: APIRequestContext, title: string, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await addEvent(api, `${title} ${number}`, { date: daysFromToday(3 + number) })
  }
}

/** Selects all events that match and opens the dialog that changes them. */
async function changeMatching(page: Page, count: number) {
  await page.getByRole('checkbox', { name: `Select all ${count} that match` }).check()
  await button(page, `Change ${count} events`).click()
  return page.getByRole('dialog')
}

test('I replace a speaker in ten events at once, and undo it', async ({ page, adminApi }) => {
  await addEvents(adminApi, 'Tenfold', 10)
  const speakers = (await (await adminApi.get('/api/speakers')).json()) as { name: string }[]
  const [first, , third] = speakers.map(({ name }) => name)
  await openEvents(page, adminApi, '?q=tenfold')
  const dialog = await changeMatching(page, 10)
  await dialog.getByLabel('Speakers').selectOption('Replace a speaker')
  await dialog.getByLabel('Replace').selectOption(first ?? '')
  await dialog.getByLabel('By').selectOption(third ?? '')
  await button(dialog, 'Preview').click()
  await expect(dialog.getByRole('heading', { name: 'Preview' })).toBeFocused()
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  await expect(dialog.getByText('10 events of 10 will be changed')).toBeVisible()
  await button(dialog, 'Change 10 events').click()
  await expectToast(page, '10 events changed successfully')
  const speakersOf = async () => {
    const events = (await (await adminApi.get('/api/events')).json()) as {
      title: string
      speakers: { speaker: { name: string } }[]
    }[]
    const changed = events.filter(({ title }) => title.startsWith('Tenfold'))
    return new Set(changed.map((event) => event.speakers[0]?.speaker.name))
  }
  expect(await speakersOf()).toEqual(new Set([third]))
  await button(page, 'Undo').click()
  await expectToast(page, 'The change of 10 events was undone')
  expect(await speakersOf()).toEqual(new Set([first]))
})

test('I cancel some events, leave out what can’t be changed, and undo it an hour later', async ({
  page,
  adminApi,
}) => {
  await addEvents(adminApi, 'Stormy', 2)
  await adminApi.post('/api/events', {
    data: { event: { title: 'Stormy draft', status: 'draft' }, speakerIds: [] },
  })
  await openEvents(page, adminApi, '?q=stormy')
  const dialog = await changeMatching(page, 3)
  await dialog.getByLabel('Status').selectOption('Cancelled')
  await button(dialog, 'Preview').click()
  await expect(dialog.getByText('1 event can’t be changed like this')).toBeVisible()
  await expect(dialog.getByText('Date is required')).toBeVisible()
  await button(dialog, 'Leave Out 1 event').click()
  await button(dialog, 'Change 2 events').click()
  await expectToast(page, '2 events changed successfully')
  await expect(card(page, 'Stormy 1')).toContainText('Cancelled')
  await expect(card(page, 'Stormy draft')).not.toContainText('Cancelled')

  await page.reload()
  await page.getByText('Undo a change').click()
  await page.getByRole('button', { name: 'Undo: 2 events changed' }).click()
  await expectToast(page, 'The change of 2 events was undone')
  await expect(card(page, 'Stormy 1')).not.toContainText('Cancelled')
})

test('a change is not undone over somebody’s later edit', async ({
  page,
  adminApi,
  consoleMessages,
}) => {
  consoleMessages.allow(/409 .*\/undo$/)
  await addEvents(adminApi, 'Contested', 2)
  await openEvents(page, adminApi, '?q=contested')
  const dialog = await changeMatching(page, 2)
  await dialog.getByLabel('Time').fill('18:15')
  await button(dialog, 'Preview').click()
  await button(dialog, 'Change 2 events').click()
  await expectToast(page, '2 events changed successfully')
  await page.getByText('Undo a change').click()
  const undo = page.getByRole('button', { name: 'Undo: 2 events changed' })
  await expect(undo).toBeVisible()
  const all = (await (await adminApi.get('/api/events')).json()) as { id: number; title: string }[]
  const first = all.find(({ title }) => title === 'Contested 1')
  const changed = await adminApi.post('/api/events/bulk-edits', {
    data: { events: [{ id: first?.id }], changes: { status: 'hidden' } },
  })
  expect(changed.status()).toBe(201)
  await undo.click()
  await expectToast(page, '“Contested 1” was changed since then, so nothing was undone.')
})

test('I delete the events of one month and bring them back', async ({ page, adminApi }) => {
  const far = `${new Date().getUTCFullYear() + 2}-07`
  for (const day of ['08', '22']) await addEvent(adminApi, `July ${day}`, { date: `${far}-${day}` })
  await openEvents(page, adminApi)
  await button(page, 'Select by series or month').click()
  const groups = page.getByRole('dialog', { name: 'Select by series or month' })
  await groups.getByRole('checkbox', { name: /^July/ }).check()
  await button(groups, 'Done').click()
  await button(page, 'Delete 2 events').click()
  const question = page.getByRole('alertdialog', { name: 'Delete 2 events' })
  const year = far.slice(0, 4)
  await expect(question).toContainText(`“July 08” on Jul 8, ${year}, “July 22” on Jul 22, ${year}?`)
  await expect(button(question, 'Cancel')).toBeFocused()
  await expectAccessibleEverywhere(page)
  await button(question, 'Delete 2 events').click()
  await expectToast(page, '2 events deleted successfully')
  await button(page, 'Undo').click()
  await expectToast(page, 'The change of 2 events was undone')
  const events = (await (await adminApi.get('/api/events')).json()) as { date: string }[]
  expect(events.filter(({ date }) => date.startsWith(far))).toHaveLength(2)
})

test('I publish several drafts at once, and read what each of them still lacks', async ({
  page,
  adminApi,
}) => {
  const draft = { status: 'draft', registrationUrl: '' }
  await addEvent(adminApi, 'Drafted walk', { ...draft, type: 'In-Person Events' })
  await addEvent(adminApi, 'Drafted webinar', draft)
  await openEvents(page, adminApi, '?q=drafted')
  const dialog = await changeMatching(page, 2)
  await dialog.getByLabel('Status').selectOption('Published')
  await button(dialog, 'Preview').click()
  await expect(dialog.getByText('1 event can’t be changed like this')).toBeVisible()
  const row = (title: string) => dialog.getByRole('listitem').filter({ hasText: title })
  await expect(row('Drafted webinar')).toContainText('Registration URL is required')
  await expect(row('Drafted walk')).not.toContainText('required')
  await button(dialog, 'Leave Out 1 event').click()
  await button(dialog, 'Change 1 event').click()
  await expectToast(page, '1 event changed successfully')
  await expect(card(page, 'Drafted walk').getByText('Draft', { exact: true })).toBeHidden()
  await expect(card(page, 'Drafted webinar').getByText('Draft', { exact: true })).toBeVisible()
})

test('I schedule several drafts for one time', async ({ page, adminApi, consoleMessages }) => {
  consoleMessages.allow(/400 .*\/preview$/)
  for (const number of [1, 2]) {
    await addEvent(adminApi, `Announced ${number}`, { status: 'draft', date: daysFromToday(20) })
  }
  await openEvents(page, adminApi, '?q=announced')
  const dialog = await changeMatching(page, 2)
  await dialog.getByLabel('Status').selectOption('Scheduled')
  await expect(dialog.getByText('The same for all of these events, in ET.')).toBeVisible()
  await button(dialog, 'Preview').click()
  await expect(dialog.getByText('Publication date and time are required')).toBeVisible()
  const publishAt = dialog.getByLabel('Publish at')
  await expect(publishAt).toBeFocused()
  await publishAt.fill('2020-01-01T09:00')
  const warning = 'This time has passed: the events are published when you save.'
  await expect(dialog.getByText(warning)).toBeVisible()
  await publishAt.fill(`${daysFromToday(7)}T09:00`)
  await expect(dialog.getByText(warning)).toBeHidden()
  await expectAccessibleEverywhere(page)
  await button(dialog, 'Preview').click()
  await button(dialog, 'Change 2 events').click()
  await expectToast(page, '2 events changed successfully')
  for (const number of [1, 2]) {
    const text = card(page, `Announced ${number}`).getByText(
      /^Scheduled: visible from .*, 9:00 AM ET$/,
    )
    await expect(text).toBeVisible()
  }
  await button(page, 'Undo').click()
  await expectToast(page, 'The change of 2 events was undone')
  await expect(card(page, 'Announced 1').getByText('Draft', { exact: true })).toBeVisible()
})

test('I change several events with the keyboard alone, and on a phone', async ({
  page,
  adminApi,
}) => {
  await addEvents(adminApi, 'By hand', 2)
  await page.setViewportSize({ width: 390, height: 844 })
  await openEvents(page, adminApi, '?q=by+hand')
  await expectNoSidewaysScroll(page)
  await page.getByRole('checkbox', { name: 'Select By hand 1' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('checkbox', { name: 'Select By hand 2' }).focus()
  await page.keyboard.press('Space')
  await button(page, 'Change 2 events').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'Change 2 events' })).toBeFocused()
  await expectAccessibleEverywhere(page)
  await dialog.getByLabel('Registration URL').focus()
  await page.keyboard.type('https://example.com/elsewhere')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('heading', { name: 'Preview' })).toBeFocused()
  await expectAccessibleEverywhere(page)
  await button(dialog, 'Change 2 events').focus()
  await page.keyboard.press('Enter')
  await expectToast(page, '2 events changed successfully')
  await expect(dialog).toBeHidden()
  await page.getByText('Undo a change').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Undo: / }).first()).toBeVisible()
  await expectAccessibleEverywhere(page)
})

test('I repeat a new event every month, without one date, and undo it', async ({
  page,
  adminApi,
}) => {
  await openEvents(page, adminApi, '?event=new')
  await fillIn(page, 'Month by month')
  const year = new Date().getUTCFullYear() + 1
  await page.getByLabel('Date', { exact: true }).fill(`${year}-01-31`)
  await page.getByLabel('Registration URL').fill('https://example.com/register')
  await page.getByLabel('How often').selectOption('Every month on day 31')
  await page.getByLabel('Number of dates').fill('4')
  await expect(page.getByText(`February ${year} has no day 31: skipped`)).toBeVisible()
  await expect(button(page, 'Create 4 Events')).toBeVisible()
  await button(page, `Remove Mar 31, ${year}`).click()
  await expectAccessibleEverywhere(page)
  await button(page, 'Create 3 Events').click()
  await expectToast(page, '3 events created successfully')
  await expect(card(page, 'Month by month').first()).toBeVisible()
  await button(page, 'Undo').click()
  await expectToast(page, '3 new events were removed')
  await expect(card(page, 'Month by month')).toHaveCount(0)
})

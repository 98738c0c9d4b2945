import type { Locator } from '@playwright/test'
import { daysFromToday } from './support/event-data.ts'
import { expectAccessibleEverywhere, expectNoSidewaysScroll, open } from './support/page.ts'
import { addEvent, button, card, fillIn, openEvents, openPortal, signIn } from './support/portal.ts'
import { expect, expectToast, test } from './support/test.ts'

interface StoredEvent {
  id: number
  title: string
  path: string
}

const offer = 'Unsaved changes'

test.describe('the form of an event', () => {
  test('I create a missing speaker from the form, by keyboard, and lose nothing that I typed', async ({
    page,
    adminApi,
  }) => {
    await openEvents(page, adminApi, '?event=new')
    await fillIn(page, 'With somebody new')
    await page.getByLabel('Registration URL').fill('https://example.com/new')
    const picker = page.getByRole('combobox', { name: 'Add a speaker or host' })
    await picker.fill('Noor Haddad')
    await expect(page.getByText('No other speaker matches that name.')).toBeVisible()
    await picker.press('Tab')
    await expect(button(page, 'New Speaker')).toBeFocused()
    await page.keyboard.press('Enter')

    const dialog = page.getByRole('dialog', { name: 'Add New Speaker or Event Host' })
    await expect(dialog.getByLabel('Name')).toHaveValue('Noor Haddad')
    await button(dialog, 'Create and Add Speaker').click()
    await expect(dialog.getByLabel('Title')).toBeFocused()
    await expect(dialog.getByLabel('Title')).toHaveAccessibleDescription('Title is required')
    await expectAccessibleEverywhere(page)
    await dialog.getByLabel('Title').fill('Anesthesiologist')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(button(page, 'Remove Noor Haddad')).toBeVisible()

    await expect(page.getByLabel('Title')).toHaveValue('With somebody new')
    await button(page, 'Create Event').click()
    await expectToast(page, 'Event created successfully')
    const events = (await (await adminApi.get('/api/events')).json()) as (StoredEvent & {
      speakers: { speaker: { name: string } }[]
    })[]
    const saved = events.find(({ title }) => title === 'With somebody new')
    expect(saved?.speakers.map(({ speaker }) => speaker.name)).toContain('Noor Haddad')
  })

  test('what I typed about a new speaker is there again after Escape, a click outside and a reload', async ({
    page,
    adminApi,
  }) => {
    await openEvents(page, adminApi, '?event=new')
    const dialog = page.getByRole('dialog', { name: 'Add New Speaker or Event Host' })
    const savedInput = dialog.getByRole('group', { name: offer })
    const openDialog = () => button(page, 'New Speaker').click()

    await openDialog()
    await dialog.getByLabel('Name').fill('Imani Cole')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await openDialog()
    await button(savedInput, 'Restore').click()
    await expect(dialog.getByLabel('Name')).toHaveValue('Imani Cole')
    await dialog.getByLabel('Title').fill('Underwriter')
    await page.mouse.click(5, 5)
    await expect(dialog).toBeHidden()

    await page.reload()
    await openDialog()
    await expectAccessibleEverywhere(page)
    await dialog.getByLabel('Name').fill('Somebody else')
    await page.keyboard.press('Escape')
    // The offer is still there, so this would not be stored.
    const question = page.getByRole('alertdialog', { name: 'Discard This Speaker?' })
    await expect(button(question, 'Keep Editing')).toBeFocused()
    await expectAccessibleEverywhere(page)
    await page.keyboard.press('Enter')
    await expect(dialog.getByLabel('Name')).toHaveValue('Somebody else')
    await button(savedInput, 'Restore').click()
    await expect(dialog.getByLabel('Name')).toHaveValue('Imani Cole')
    await expect(dialog.getByLabel('Title')).toHaveValue('Underwriter')
    await button(dialog, 'Create and Add Speaker').click()
    await expect(button(page, 'Remove Imani Cole')).toBeVisible()
  })

  test('what I typed is there again after I left the form, until I save it', async ({
    page,
    adminApi,
  }) => {
    await openEvents(page, adminApi, '?event=new')
    await page.getByLabel('Title').fill('Half an idea')
    await button(page, 'Cancel').click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await expect(question).toContainText('This browser keeps it')
    await button(question, 'Leave').click()
    await expect(card(page, 'Half an idea')).toBeHidden()

    await page.reload()
    await button(page, 'Create New Event').click()
    await expect(page.getByLabel('Title')).toHaveValue('')
    const savedInput = page.getByRole('group', { name: offer })
    await expect(savedInput).toContainText('You left this form on')
    await expectAccessibleEverywhere(page)
    await button(savedInput, 'Restore').click()
    await expect(page.getByLabel('Title')).toHaveValue('Half an idea')
    await expect(page.getByLabel('Title')).toBeFocused()
    await page.getByLabel('Status').selectOption('Draft')
    await button(page, 'Create Event').click()
    await expectToast(page, 'Event created successfully')

    await button(page, 'Create New Event').click()
    await expect(page.getByLabel('Title')).toBeFocused()
    await expect(page.getByRole('group', { name: offer })).toBeHidden()
  })

  test('the actions of a card are in it on every width', async ({ page, adminApi }) => {
    await addEvent(adminApi, 'On every card')
    for (const width of [320, 390, 769, 1081, 1440]) {
      await page.setViewportSize({ width, height: 844 })
      await openEvents(page, adminApi)
      const box = await card(page, 'On every card').boundingBox()
      for (const action of ['Edit', 'Duplicate', 'Delete']) {
        const within = await button(page, `${action} On every card`).boundingBox()
        expect(
          (within?.x ?? NaN) + (within?.width ?? NaN),
          `${action} at ${width} px`,
        ).toBeLessThan((box?.x ?? NaN) + (box?.width ?? NaN))
      }
      await expectNoSidewaysScroll(page)
    }
  })

  test('I see what visitors will see on a phone too', async ({ page, adminApi }) => {
    for (const width of [390, 768, 1024]) {
      await page.setViewportSize({ width, height: 844 })
      await openEvents(page, adminApi, '?event=new')
      await page.getByLabel('Title').fill('On every width')
      const summary = page.getByText('Preview: as visitors will see it')
      await summary.focus()
      await page.keyboard.press('Enter')
      const preview = page.getByRole('group', { name: 'The card of the event' })
      await expect(preview.getByText('On every width')).toBeVisible()
      await expectNoSidewaysScroll(page)
      page.once('dialog', (dialog) => void dialog.accept())
    }
    await expectAccessibleEverywhere(page)
    page.on('dialog', (dialog) => void dialog.accept())
  })

  test('I am warned of a date in the past, of a busy speaker and of a venue that will be removed', async ({
    page,
    adminApi,
  }) => {
    await addEvent(adminApi, 'Already planned', { date: daysFromToday(20), duration: '90 minutes' })
    await openEvents(page, adminApi, '?event=new')
    await fillIn(page, 'At the same time', 20)
    await page.getByLabel('Time', { exact: true }).fill('20:00')
    const busy = page.getByText(/also speaks? at/)
    await expect(busy).toContainText('Already planned')
    await page.getByLabel('Event type').selectOption('In-Person Events')
    await page.getByLabel('Venue name').fill('The Arcadia House')
    await page.getByLabel('Event type').selectOption('Special')
    await expect(page.getByText('“The Arcadia House” is removed when you save')).toBeVisible()
    await expectAccessibleEverywhere(page)
    await page.getByLabel('Date').fill('2020-01-02')
    await expect(page.getByText(/January 2, 2020 at .* is in the past/)).toBeVisible()
    await expect(busy).toBeHidden()

    // None of it prevents saving.
    await page.getByLabel('Registration URL').fill('https://example.com/past')
    await button(page, 'Create Event').click()
    await expectToast(page, 'Event created successfully')
  })

  test('I write a description with a list and a link, and visitors see both', async ({
    page,
    adminApi,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await openEvents(page, adminApi, '?event=new')
    await fillIn(page, 'With a list')
    await page
      .getByLabel('Description')
      .fill(
        'Bring **two** things:\n\n- an offering\n- a pencil\n\nSee [our guide](https://example.com/guide).',
      )
    await page.getByLabel('Registration URL').fill('https://example.com/list')
    const preview = page.getByRole('complementary', { name: 'Preview' })
    await expect(preview).toContainText('**two**')
    await page.getByLabel('Use Markdown').focus()
    await page.keyboard.press('Space')
    const items = preview.locator('li', { hasText: /^(an offering|a pencil)$/ })
    await expect(items).toHaveText(['an offering', 'a pencil'])
    await expect(preview.locator('strong')).toHaveText('two')
    await expectAccessibleEverywhere(page)
    await button(page, 'Create Event').click()
    await expectToast(page, 'Event created successfully')

    const events = (await (await adminApi.get('/api/events')).json()) as StoredEvent[]
    const { id, path } = events.find(({ title }) => title === 'With a list') ?? { id: 0, path: '' }
    await open(page, path)
    const list = page.getByRole('main').locator('li', { hasText: 'a pencil' })
    await expect(list).toBeVisible()
    const link = page.getByRole('link', { name: 'our guide (opens in a new tab)' })
    await expect(link).toHaveAttribute('href', 'https://example.com/guide')
    await expectAccessibleEverywhere(page)
    await open(page, `/calendar?event=${id}`)
    await expect(page.getByRole('dialog').locator('li', { hasText: 'a pencil' })).toBeVisible()
    const calendar = await (await page.request.get(`${path}.ics`)).text()
    expect(calendar).toContain('Bring two things:')
  })
})

test('from the list I open an event’s page and copy its link', async ({
  page,
  context,
  adminApi,
  lectern,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await addEvent(adminApi, 'Shared by link')
  await addEvent(adminApi, 'Not for visitors', { status: 'draft' })
  await openEvents(page, adminApi, '?q=shared+by+link')
  await button(page, 'Copy link to Shared by link').click()
  await expectToast(page, 'Link copied')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(new RegExp(`^${lectern.url}/events/\\d+-shared-by-link$`))
  const link = page.getByRole('link', { name: /^Open the page of Shared by link/ })
  await expect(link).toHaveAttribute('href', new URL(copied).pathname)

  await openEvents(page, adminApi, '?q=not+for+visitors')
  await expect(card(page, 'Not for visitors')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Open the page/ })).toBeHidden()
})

test('on an event’s public page I follow Edit to its form; visitors see no such link', async ({
  page,
  adminApi,
}) => {
  const id = await addEvent(adminApi, 'Seen in public')
  const path = `/events/${id}-seen-in-public`
  await open(page, path)
  await expect(page.getByRole('link', { name: 'Edit' })).toBeHidden()

  await signIn(page, adminApi)
  await open(page, `/calendar?event=${id}`)
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Edit' })).toBeVisible()
  await open(page, path)
  await expect(page.getByRole('link', { name: 'Edit' })).toBeVisible()
  await expectAccessibleEverywhere(page)
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Seen in public')
})

test('the second click of a double-click does nothing else than the first', async ({
  page,
  adminApi,
}) => {
  await addEvent(adminApi, 'Clicked twice')
  await openEvents(page, adminApi)
  const syncs: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') syncs.push(request.url())
  })
  // As fast as people do it: the form is there.
  const shortly = () => page.waitForTimeout(120)
  const doubleClick = async (target: Locator, untilSecond = shortly) => {
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (!box) throw new Error('The button is not there')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.click(x, y)
    await untilSecond()
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
  }

  await doubleClick(button(page, 'Create New Event'))
  await expect(page.getByLabel('Title')).toBeFocused()
  await page.goBack()
  await doubleClick(button(page, 'Edit Clicked twice'))
  await expect(page.getByLabel('Title')).toBeFocused()
  await page.goBack()
  await doubleClick(button(page, 'Delete Clicked twice'))
  await expect(page.getByRole('alertdialog')).toBeVisible()
  expect(syncs).toEqual([])

  // Both clicks count where both are on the same control.
  await page.keyboard.press('Escape')
  const hidden = page.getByLabel('Select Clicked twice')
  await doubleClick(hidden)
  await expect(hidden).not.toBeChecked()

  // The public page has a link to the search there.
  await doubleClick(page.getByRole('link', { name: 'View Calendar' }), async () => {
    await expect(page.getByRole('link', { name: 'Search events' })).toBeVisible()
  })
  await page.waitForTimeout(300)
  await expect(page).toHaveURL(/\/(calendar)?$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('on a phone the tabs show that there are more of them', async ({ page, adminApi }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openPortal(page, adminApi)
  const frame = page.locator('[data-more]')
  await expect(frame).toHaveAttribute('data-more', 'end')
  await page.getByRole('tab', { name: 'Events' }).focus()
  await page.keyboard.press('End')
  await expect(frame).toHaveAttribute('data-more', 'start')
  await page.setViewportSize({ width: 1440, height: 844 })
  await expect(frame).toHaveAttribute('data-more', '')
})

test.describe('the list of events', () => {
  test('I find events by their city and by their date', async ({ page, adminApi }) => {
    const speakers = (await (await adminApi.get('/api/speakers')).json()) as { id: number }[]
    const response = await adminApi.post('/api/events', {
      data: {
        event: {
          title: 'A walk by the river',
          date: '2031-12-01',
          time: '10:00',
          duration: '60 minutes',
          type: 'In-Person Events',
          summary: 'A walk.',
          description: 'Along the river.',
          registrationUrl: 'https://example.com/walk',
          timezone: 'America/New_York',
        },
        location: { venueName: 'The Quay', venueAddress: '', city: 'Savannah', state: 'GA' },
        speakerIds: speakers.slice(0, 1).map(({ id }) => id),
      },
    })
    expect(response.status()).toBe(201)
    await openEvents(page, adminApi)
    const find = page.getByRole('searchbox', { name: 'Find' })
    for (const text of ['savannah', 'dec 1 river', '12/1/2031', '2031-12-01']) {
      await find.fill(text)
      await expect(card(page, 'A walk by the river')).toBeVisible()
      await expect(page.getByText('1 event found')).toBeVisible()
    }
    await find.fill('')
    await page.getByLabel('Month').selectOption('December 2031')
    await expect(page).toHaveURL(/month=2031-12/)
    await expect(page.getByText('1 event found')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Month')).toHaveValue('2031-12')
    await expect(card(page, 'A walk by the river')).toBeVisible()
  })

  test('I sort the list and go to a page by its number, and both are in the URL', async ({
    page,
    adminApi,
  }) => {
    await openEvents(page, adminApi)
    await page.getByLabel('Sort by').selectOption('Title')
    await expect(page).toHaveURL(/sort=title/)
    const titles = () => page.getByRole('article').getByRole('heading').allTextContents()
    const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
    await expect(async () => {
      const shown = await titles()
      expect(shown).toEqual(shown.toSorted(collator.compare))
    }).toPass()
    await page.getByLabel('Go to page').fill('3')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Page 3 of \d+$/)).toBeVisible()
    await expect(page).toHaveURL(/page=3/)
    // The keyboard continues in the list, and the page is announced.
    await expect(page.getByRole('article').first().getByRole('heading')).toBeFocused()
    await expect(page.getByRole('status').filter({ hasText: /^Page 3 of \d+$/ })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('article').first().getByRole('checkbox')).toBeFocused()
    await page.reload()
    await expect(page.getByText(/^Page 3 of \d+$/)).toBeVisible()
    await expect(page.getByLabel('Sort by')).toHaveValue('title')
    await page.getByLabel('Go to page').fill('999')
    await button(page, 'Go').last().click()
    await expect(button(page, 'Next page')).toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByRole('article').first().getByRole('heading')).toBeFocused()
  })

  test('I list the events as a table, and it is a table when I come back', async ({
    page,
    adminApi,
  }) => {
    await addEvent(adminApi, 'A row of its own')
    await openEvents(page, adminApi)
    await button(page, 'Table').click()
    await expect(button(page, 'Table')).toHaveAttribute('aria-pressed', 'true')
    const row = page.getByRole('row', { name: /A row of its own/ })
    await page.getByRole('searchbox', { name: 'Find' }).fill('row of its own')
    await expect(page).toHaveURL(/q=row/)
    await expect(row).toBeVisible()
    await page.reload()
    await button(row, 'Edit A row of its own').click()
    await page.getByLabel('Summary').fill('In one line.')
    await button(page, 'Update Event').click()
    await expectToast(page, 'Event updated successfully')
    await expect(row.getByText('A row of its own')).toBeFocused()
    await button(row, 'Delete A row of its own').click()
    await button(page.getByRole('alertdialog'), 'Delete').click()
    await expectToast(page, 'Event deleted successfully')
    await button(page, 'Cards').click()
    await expect(button(page, 'Cards')).toHaveAttribute('aria-pressed', 'true')
  })
})

import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import { daysFromToday } from './support/event-data.ts'
import { expectAccessibleEverywhere, expectNoSidewaysScroll, open } from './support/page.ts'
import { addEvent, button, card, openEvents, signIn } from './support/portal.ts'
import { expect, expectToast, test } from './support/test.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name })
/** The rows of the preview with this text. */
const rows = (page: Page, text: string | RegExp) =>
  page.getByRole('group', { name: 'Preview' }).getByRole('listitem').filter({ hasText: text })

/** Opens the import and chooses a file. */
async function chooseFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  await page.getByLabel('CSV or calendar file').setInputFiles({
    name,
    mimeType: name.endsWith('.ics') ? 'text/calendar' : 'text/csv',
    buffer: Buffer.from(content),
  })
}

async function openImport(page: Page, api: APIRequestContext): Promise<void> {
  await signIn(page, api)
  await open(page, '/admin?view=import')
  await expect(page.getByLabel('CSV or calendar file')).toBeVisible()
}

async function speakerName(api: APIRequestContext): Promise<string> {
  const speakers = (await (await api.get('/api/speakers')).json()) as { name: string }[]
  return speakers[0]?.name ?? ''
}

interface Listed {
  id: number
  title: string
}

/** All events of the site, of every status. */
async function allEvents(api: APIRequestContext): Promise<Listed[]> {
  const lists = await Promise.all(
    ['/api/events', '/api/events/unpublished'].map(async (path) => {
      const list = await api.get(path)
      return (await list.json()) as Listed[]
    }),
  )
  return lists.flat()
}

const season = (speaker: string) =>
  [
    'Event name,Day,Start time,Category,Hosts,Short description,Details,Link',
    `Rent rolls of three buildings,${daysFromToday(40)},7:00 PM,Special,${speaker},Line by line.,Bring questions.,https://example.com/a`,
    `Walk through a kitchen,${daysFromToday(41)},25:99,Special,${speaker},Line by line.,Bring questions.,https://example.com/b`,
    `Numbers for beginners,${daysFromToday(42)},19:00,Meetup,Ann Fictional,Line by line.,Bring questions.,https://example.com/c`,
    `Nobody speaks yet,${daysFromToday(43)},19:00,Special,,Line by line.,Bring questions.,https://example.com/d`,
  ].join('\r\n')

test('I import a season from a spreadsheet with an error, correct it, and undo the import', async ({
  page,
  adminApi,
}) => {
  const speaker = await speakerName(adminApi)
  const before = await allEvents(adminApi)
  await openEvents(page, adminApi)
  await page.getByRole('link', { name: 'Import Events' }).click()
  await expect(heading(page, 'Import Events')).toBeFocused()

  await chooseFile(page, 'season.csv', season(speaker))
  await expect(rows(page, 'Line 3')).toContainText(
    'Start time: “25:99” is not a valid time. Use 7:00 PM or 19:00.',
  )
  await expect(page.getByLabel('Event name', { exact: true })).toHaveValue('title')
  await expectAccessibleEverywhere(page)
  // Nothing is stored while a row has an error, also by a click.
  await expect(button(page, 'Import 2 Events')).toHaveAttribute('aria-disabled', 'true')
  await button(page, 'Import 2 Events').click({ force: true })

  await page.getByLabel('Meetup').selectOption('Pillars of Wealthbuilding')
  await page.getByLabel('Ann Fictional', { exact: true }).selectOption('Create this speaker')
  await page.getByLabel('Title of Ann Fictional').fill('Analyst')
  await page.getByLabel('Title of Ann Fictional').press('Tab')
  await expect(rows(page, 'Line 4')).toContainText('New')
  await expect(rows(page, 'Line 5')).toContainText('Becomes a draft: it has no speaker.')
  await expectAccessibleEverywhere(page)
  expect(await allEvents(adminApi)).toEqual(before)

  // The corrected file is chosen again.
  await chooseFile(page, 'season.csv', season(speaker).replace('25:99', '10:30 AM'))
  await page.getByLabel('Meetup').selectOption('Pillars of Wealthbuilding')
  await page.getByLabel('Ann Fictional', { exact: true }).selectOption('Create this speaker')
  await button(page, 'Import 4 Events').click()
  await expectToast(page, 'Events imported successfully')
  await expect(heading(page, 'The import is done')).toBeFocused()
  await expect(page.getByText('4 events were created, 1 of them as drafts.')).toBeVisible()
  await expect(page.getByText('1 speaker was created.')).toBeVisible()
  await expectAccessibleEverywhere(page)
  expect(await allEvents(adminApi)).toHaveLength(before.length + 4)

  await button(page, 'Undo Import').click()
  await expectToast(page, 'Import undone')
  await expect(rows(page, 'Rent rolls of three buildings')).toContainText('New')
  expect(await allEvents(adminApi)).toEqual(before)
  const speakers = await (await adminApi.get('/api/speakers')).text()
  expect(speakers).not.toContain('Ann Fictional')
})

test('I leave out the rows with errors and see the rest in the list', async ({
  page,
  adminApi,
}) => {
  const file = season(await speakerName(adminApi))
    .split('\r\n')
    .slice(0, 3)
    .join('\r\n')
  await openImport(page, adminApi)
  await chooseFile(page, 'season.csv', file.replaceAll('Rent rolls', 'Left-over rolls'))
  await page.getByLabel('Leave out the 1 row with an error').check()
  await button(page, 'Import 1 Event').click()
  await expect(heading(page, 'The import is done')).toBeFocused()
  await expect(page.getByText('1 row was left out.')).toBeVisible()
  await page.getByRole('link', { name: 'Show Events' }).click()
  await page.getByRole('searchbox', { name: 'Find' }).fill('Left-over')
  await expect(card(page, 'Left-over rolls of three buildings')).toBeVisible()
})

test('I export what the filter shows, and importing it again changes nothing', async ({
  page,
  adminApi,
}) => {
  await addEvent(adminApi, '=Formula, "quoted"', { description: '- one\n- two', status: 'hidden' })
  await addEvent(adminApi, 'Formula of a cap rate', { status: 'cancelled' })
  const before = await allEvents(adminApi)
  await openEvents(page, adminApi, '?q=formula')
  await expect(page.getByText('2 events found')).toBeVisible()

  const texts: Record<string, string> = {}
  for (const [label, name] of [
    ['Spreadsheet (CSV)', 'events.csv'],
    ['Calendar (.ics)', 'events.ics'],
    ['JSON', 'events.json'],
  ] as const) {
    await button(page, 'Export').click()
    await expect(button(page, 'Spreadsheet (CSV)')).toBeFocused()
    const download = page.waitForEvent('download')
    await button(page, label).click()
    const file = await download
    expect(file.suggestedFilename()).toBe(name)
    texts[name] = await readFile(await file.path(), 'utf8')
  }
  expect(texts['events.csv']).toContain(`"'=Formula, ""quoted"""`)
  expect(texts['events.ics']?.match(/BEGIN:VEVENT/g)).toHaveLength(2)
  const list = JSON.parse(texts['events.json'] ?? '') as Listed[]
  expect(list.map(({ title }) => title).sort()).toEqual([
    '=Formula, "quoted"',
    'Formula of a cap rate',
  ])

  await openImport(page, adminApi)
  await chooseFile(page, 'events.csv', texts['events.csv'] ?? '')
  await page.getByLabel('2 events that you have already').selectOption('Update with the file')
  await expect(page.getByText('2 rows unchanged.')).toBeVisible()
  await expect(page.getByText('There is nothing to import.')).toBeVisible()
  await expect(button(page, 'Import Events')).toHaveAttribute('aria-disabled', 'true')
  expect(await allEvents(adminApi)).toEqual(before)

  // One changed cell updates one field.
  const changed = (texts['events.csv'] ?? '').replace('An evening together.', 'A morning together.')
  await chooseFile(page, 'events.csv', changed)
  await page.getByLabel('2 events that you have already').selectOption('Update with the file')
  await expect(rows(page, 'Update')).toContainText('An evening together. → A morning together.')
  await button(page, 'Import 1 Event').click()
  await expect(page.getByText('1 event was updated.')).toBeVisible()
})

test('I choose how a date is read that has two readings', async ({ page, adminApi }) => {
  await openImport(page, adminApi)
  await chooseFile(page, 'dates.csv', 'Title,Date\nTwo readings,03/04/2031')
  await expect(rows(page, 'Line 2')).toContainText('is ambiguous')
  await page.getByLabel('Dates such as 03/04/2031').selectOption('Day first')
  await expect(rows(page, 'Line 2')).toContainText('Apr 3, 2031')
})

test('I import the calendar of another program with its repetitions', async ({
  page,
  adminApi,
}) => {
  const calendar = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:weekly@example.com',
    'SUMMARY:Office hour of the analysts',
    'DTSTART;TZID=America/Denver:20310304T180000',
    'DTEND;TZID=America/Denver:20310304T190000',
    'RRULE:FREQ=WEEKLY;COUNT=3',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:day@example.com',
    'SUMMARY:Conference of the analysts',
    'DTSTART;VALUE=DATE:20310320',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
  await openImport(page, adminApi)
  await chooseFile(page, 'team.ics', calendar)
  await expect(page.getByText('4 new events (4 drafts).')).toBeVisible()
  await page.getByLabel(/^Start of 1 row without a time/).fill('09:00')
  await expect(rows(page, 'Conference')).toContainText('9:00 AM ET')
  await button(page, 'Import 4 Events').click()
  await expect(page.getByText('4 events were created, 4 of them as drafts.')).toBeVisible()

  // The next export of the same calendar brings nothing new.
  await button(page, 'Import Another File').click()
  await expect(page.getByLabel('CSV or calendar file')).toBeVisible()
  await chooseFile(page, 'team.ics', calendar)
  await expect(page.getByText('4 rows unchanged.')).toBeVisible()
})

test('I move an event with Markdown to another site through a spreadsheet', async ({
  page,
  adminApi,
}) => {
  const title = 'Written with bold words'
  const id = await addEvent(adminApi, title, {
    description: 'Bring **an offering**.',
    descriptionFormat: 'markdown',
  })
  await openEvents(page, adminApi, `?q=${encodeURIComponent(title)}`)
  await expect(page.getByRole('article')).toHaveCount(1)
  await button(page, 'Export').click()
  const waiting = page.waitForEvent('download')
  await button(page, 'Spreadsheet (CSV)').click()
  const csv = await readFile(await (await waiting).path(), 'utf8')
  expect(csv).toContain('Description format')
  expect((await adminApi.delete(`/api/events/${id}`)).status()).toBe(204)

  await openImport(page, adminApi)
  await chooseFile(page, 'events.csv', csv)
  await expect(page.getByLabel('Description format', { exact: true })).toHaveValue(
    'descriptionFormat',
  )
  await button(page, 'Import 1 Event').click()
  await expect(heading(page, 'The import is done')).toBeFocused()
  const events = (await (await adminApi.get('/api/events')).json()) as {
    title: string
    descriptionHtml?: string
  }[]
  const imported = events.find((event) => event.title === title)
  expect(imported?.descriptionHtml).toContain('<strong>an offering</strong>')
})

test('I read why a file cannot be imported', async ({ page, adminApi, consoleMessages }) => {
  consoleMessages.allow(/status of 400/)
  await openImport(page, adminApi)
  await chooseFile(page, 'season.xlsx', 'PK\u0003\u0004')
  await expect(page.getByText('This is an Excel workbook.')).toBeVisible()
  await chooseFile(page, 'season.csv', 'Title\n"never closed')
  await expect(page.getByText('Line 2: a quotation mark is opened')).toBeVisible()
  await chooseFile(page, 'large.csv', 'x'.repeat(5 * 1024 * 1024 + 1))
  await expect(page.getByText('The file is larger than 5 MB.')).toBeVisible()
  await expectAccessibleEverywhere(page)
})

test('I import and export with the keyboard alone, and on a narrow phone', async ({
  page,
  adminApi,
}) => {
  await page.setViewportSize({ width: 320, height: 700 })
  await openEvents(page, adminApi, '?q=a')
  await button(page, 'Export').focus()
  await page.keyboard.press('Enter')
  await expect(button(page, 'Spreadsheet (CSV)')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(button(page, 'Calendar (.ics)')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button(page, 'Export')).toBeFocused()

  await page.getByRole('link', { name: 'Import Events' }).focus()
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Import Events')).toBeFocused()
  await chooseFile(page, 'one.csv', 'Title\nTyped with the keyboard')
  await expect(rows(page, 'Typed with the keyboard')).toContainText('New: Draft')
  await expectNoSidewaysScroll(page)
  await button(page, 'Import 1 Event').focus()
  await page.keyboard.press('Enter')
  await expect(heading(page, 'The import is done')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(button(page, 'Undo Import')).toBeFocused()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Import undone')
  await page.getByRole('link', { name: 'All Events' }).click()
  // What was not imported would be lost.
  await button(page.getByRole('alertdialog'), /Leave|Discard/).click()
  await expect(page.getByRole('link', { name: 'Import Events' })).toBeFocused()
})

import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { ImportOptions, ImportPreview } from '../../../../api/types'
import { anEventServer, button, many, openTab } from '../../../../testing/events-tab'
import { server } from '../../../../testing/session'

interface Sent {
  file: string
  options: ImportOptions
  plan?: string
}

const aPreview = (overrides: Partial<ImportPreview> = {}): ImportPreview => ({
  format: 'csv',
  encoding: 'UTF-8',
  delimiter: ',',
  columns: [
    { heading: 'What', samples: ['A talk'], field: 'title' },
    { heading: 'Notes', samples: [], field: null },
  ],
  dateOrder: null,
  ambiguousDate: null,
  speakerSeparator: ';',
  unknownSpeakers: [],
  unknownTypes: [],
  withoutTimezone: 0,
  withoutTime: 0,
  withoutType: 0,
  unroundedDurations: 0,
  incomplete: 0,
  counts: { create: 1, drafts: 1, update: 0, skip: 0, unchanged: 0, leftOut: 0, error: 0 },
  rows: [
    {
      line: 2,
      action: 'create',
      title: 'A talk',
      date: '2031-03-12',
      time: '19:00',
      timezone: 'America/New_York',
      status: 'draft',
      errors: [],
      notes: ['Becomes a draft: it has no type.'],
      changes: [],
    },
  ],
  plan: 'abc',
  ...overrides,
})

let previews: Sent[]
let imports: { body: Sent; key: string | null }[]
let preview: ImportPreview

beforeEach(() => {
  anEventServer(many(1))
  ;[previews, imports, preview] = [[], [], aPreview()]
  server.use(
    http.post('/api/events/import/preview', async ({ request }) => {
      previews.push((await request.json()) as Sent)
      return HttpResponse.json(preview)
    }),
    http.post('/api/events/import', async ({ request }) => {
      imports.push({
        body: (await request.json()) as Sent,
        key: request.headers.get('Idempotency-Key'),
      })
      return HttpResponse.json(
        { counts: preview.counts, created: [7], updated: [], speakers: [], bulkEdit: null },
        { status: 201 },
      )
    }),
  )
})

/** Opens the import and chooses a file. */
async function choose(content = 'What,Notes\nA talk,') {
  const { user } = openTab()
  await user.click(await screen.findByRole('link', { name: 'Import Events' }))
  const input = await screen.findByLabelText('CSV or calendar file')
  await user.upload(input, new File([content], 'events.csv', { type: 'text/csv' }))
  return user
}

const rows = async () =>
  within(await screen.findByRole('group', { name: 'Preview' })).getAllByRole('listitem')

it('sends the file as it is and shows what becomes of each row', async () => {
  await choose('What,Notes\nCafé,')
  const [row] = await rows()
  expect(row).toHaveTextContent('Line 2')
  expect(row).toHaveTextContent('New: Draft')
  expect(row).toHaveTextContent('Mar 12, 2031, 7:00 PM ET')
  expect(row).toHaveTextContent('Becomes a draft: it has no type.')
  const bytes = Uint8Array.from(atob(previews[0]?.file ?? ''), (c) => c.charCodeAt(0))
  expect(new TextDecoder().decode(bytes)).toBe('What,Notes\nCafé,')
  expect(screen.getByText('1 new event (1 draft).')).toBeVisible()
})

it('gives a field to one column only', async () => {
  const user = await choose()
  await user.selectOptions(await screen.findByLabelText('Notes'), 'Title')
  await expect.poll(() => previews.at(-1)?.options.columns).toEqual([null, 'title'])
})

it('imports what the preview showed, with a key that a repeat has too', async () => {
  const user = await choose()
  await user.click(await screen.findByRole('button', { name: 'Import 1 Event' }))
  expect(await screen.findByRole('heading', { name: 'The import is done' })).toHaveFocus()
  expect(screen.getByText('1 event was created, 1 of them as drafts.')).toBeVisible()
  expect(imports).toHaveLength(1)
  expect(imports[0]?.body.plan).toBe('abc')
  expect(imports[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
})

it('imports nothing while a row has an error, unless it is left out', async () => {
  preview = aPreview({ counts: { ...aPreview().counts, error: 2 } })
  const user = await choose()
  await user.click(await screen.findByRole('button', { name: 'Import 1 Event' }))
  expect(screen.getByText(/^2 rows have errors\. Correct the file/)).toBeVisible()
  expect(imports).toHaveLength(0)
  await user.click(screen.getByLabelText('Leave out the 2 rows with errors'))
  await expect.poll(() => previews.at(-1)?.options.leaveOutErrors).toBe(true)
  await expect.poll(() => button('Import 1 Event').getAttribute('aria-disabled')).toBe('false')
  await user.click(button('Import 1 Event'))
  expect(await screen.findByRole('heading', { name: 'The import is done' })).toBeVisible()
})

it('advises to make an open choice before correcting the file', async () => {
  const counts = { ...aPreview().counts, error: 2 }
  preview = aPreview({ counts, unknownTypes: [{ name: 'Webinar', rows: 2 }] })
  const user = await choose()
  expect(
    await screen.findByText(
      '2 rows have errors. Make the choices above that are still open, or leave out these rows.',
    ),
  ).toBeVisible()
  await user.selectOptions(screen.getByLabelText('Webinar'), 'None: they become drafts')
  expect(await screen.findByText(/^2 rows have errors\. Correct the file/)).toBeVisible()

  preview = aPreview({ counts, ambiguousDate: '03/04/2031' })
  await user.selectOptions(screen.getByLabelText('Status of new events'), 'Draft')
  expect(await screen.findByText(/^2 rows have errors\. Make the choices above/)).toBeVisible()
})

it('creates or leaves out all unknown speakers at once', async () => {
  preview = aPreview({
    unknownSpeakers: ['Ann', 'Bo'].map((name) => ({ name, rows: 1 })),
  })
  const user = await choose()
  await user.click(await screen.findByRole('button', { name: 'Create All 2' }))
  await expect
    .poll(() => previews.at(-1)?.options.speakers)
    .toEqual([
      { name: 'Ann', title: 'Guest Speaker' },
      { name: 'Bo', title: 'Guest Speaker' },
    ])
  await user.selectOptions(screen.getByLabelText('Bo'), 'Leave out')
  await expect
    .poll(() => previews.at(-1)?.options.speakers)
    .toEqual([
      { name: 'Ann', title: 'Guest Speaker' },
      { name: 'Bo', speakerId: null },
    ])
})

it('shows why a file cannot be read, and that an import failed', async () => {
  server.use(
    http.post('/api/events/import', () =>
      HttpResponse.json({ error: 'Look at the preview again.' }, { status: 409 }),
    ),
  )
  const user = await choose()
  await user.click(await screen.findByRole('button', { name: 'Import 1 Event' }))
  expect(await screen.findByText('Look at the preview again.')).toBeVisible()
  expect(previews.length).toBeGreaterThan(1)

  server.use(
    http.post('/api/events/import/preview', () =>
      HttpResponse.json({ error: 'The file is empty.' }, { status: 400 }),
    ),
  )
  const other = new File([''], 'empty.csv', { type: 'text/csv' })
  await user.upload(screen.getByLabelText('CSV or calendar file'), other)
  expect(await screen.findByText('The file is empty.')).toBeVisible()
})

it('shows the last preview while the server cannot be reached, and updates it after that', async () => {
  preview = aPreview({ ambiguousDate: '03/04/2031' })
  const user = await choose()
  const order = await screen.findByLabelText('Dates such as 03/04/2031')
  server.use(http.post('/api/events/import/preview', () => HttpResponse.error(), { once: true }))
  await user.selectOptions(order, 'Day first')
  expect(
    await screen.findByText(
      'The server could not be reached. The preview may be out of date.',
      {},
      { timeout: 5000 },
    ),
  ).toBeVisible()
  expect(await rows()).toHaveLength(1)
  expect(order).toHaveValue('dayFirst')
  await user.click(button('Import 1 Event'))
  expect(button('Import 1 Event')).toHaveAccessibleDescription(/^The preview could not be updated/)
  expect(imports).toHaveLength(0)

  await user.click(button('Try Again'))
  await expect.poll(() => previews.at(-1)?.options.dateOrder).toBe('dayFirst')
  await expect.poll(() => screen.queryByText(/could not be reached/)).toBeNull()
  await user.click(button('Import 1 Event'))
  expect(await screen.findByRole('heading', { name: 'The import is done' })).toBeVisible()
})

it('says that the server cannot be reached if there is no preview yet', async () => {
  server.use(http.post('/api/events/import/preview', () => HttpResponse.error()))
  await choose()
  expect(
    await screen.findByText('The server could not be reached', {}, { timeout: 5000 }),
  ).toBeVisible()
})

it('a file that is too large does not leave the preview of the one before', async () => {
  const user = await choose()
  expect(await screen.findByRole('button', { name: 'Import 1 Event' })).toBeVisible()
  const large = new File(['x'.repeat(5 * 1024 * 1024 + 1)], 'large.csv', { type: 'text/csv' })
  await user.upload(screen.getByLabelText('CSV or calendar file'), large)
  expect(await screen.findByText(/The file is larger than 5 MB/)).toBeVisible()
  expect(screen.queryByRole('group', { name: 'Preview' })).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /^Import 1/ })).not.toBeInTheDocument()
})

it('counts the events that I have once, and not the rows that repeat a new one', async () => {
  const [row] = aPreview().rows
  if (!row) throw new Error('no row')
  preview = aPreview({
    counts: { ...aPreview().counts, skip: 3 },
    rows: [
      row,
      { ...row, line: 3, action: 'skip' },
      { ...row, line: 4, action: 'skip', eventId: 7 },
      { ...row, line: 5, action: 'skip', eventId: 7 },
    ],
  })
  await choose()
  expect(await screen.findByLabelText('1 event that you have already')).toBeVisible()
})

it('asks about durations without counting those that are rounded already', async () => {
  preview = aPreview({ unroundedDurations: 2 })
  const user = await choose()
  const round = await screen.findByLabelText('Round 2 durations up to the next 15 minutes')
  preview = aPreview({ unroundedDurations: 0 })
  await user.click(round)
  expect(await screen.findByLabelText('Round durations up to the next 15 minutes')).toBeChecked()
})

it('says what became of the rows in the words of the preview, and undoing keeps the focus', async () => {
  preview = aPreview({ counts: { ...aPreview().counts, skip: 1, leftOut: 3 } })
  server.use(
    http.post('/api/events/import/undo', () => HttpResponse.json({ events: 1, speakers: 0 })),
  )
  const user = await choose()
  expect(
    await screen.findByText('1 new event (1 draft), 1 row skipped, 3 rows left out.'),
  ).toBeVisible()
  await user.click(button('Import 1 Event'))
  expect(await screen.findByText('1 row was skipped.')).toBeVisible()
  expect(screen.getByText('3 rows were left out.')).toBeVisible()
  await user.click(button('Undo Import'))
  expect(await screen.findByText('Import undone')).toBeVisible()
  await expect.poll(() => document.activeElement?.tagName).toBe('H1')
})

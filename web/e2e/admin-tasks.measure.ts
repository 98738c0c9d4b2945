import { writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { daysFromToday } from './support/event-data.ts'
import { open } from './support/page.ts'
import { addEvent, button, card, signIn } from './support/portal.ts'
import { expect, expectToast, test } from './support/test.ts'

/**
 * `npm run measure -- admin-tasks`: the tasks of an admin through the visible controls alone, with
 * the time that each took. docs/admin-task-times.md has the results.
 */

/** One task, with what the admin did. */
interface Task {
  name: string
  clicks: number
  keys: number
  seconds: number
}

/**
 * The time of an admin who knows what to do, by the keystroke-level model: 0.28 s for a key, 1.3 s for
 * a click with the way to it, 1.35 s to decide on each click.
 */
const adminSeconds = ({ clicks, keys, seconds }: Task) => keys * 0.28 + clicks * 2.65 + seconds

class TaskTimer {
  readonly tasks: Task[] = []
  private clicks = 0
  private keys = 0

  async click(target: Locator): Promise<void> {
    this.clicks += 1
    await target.click()
  }

  /** Clicks outside of the page. */
  pressed(count: number): void {
    this.clicks += count
  }

  async type(target: Locator, text: string): Promise<void> {
    this.clicks += 1
    this.keys += text.length
    await target.fill(text)
  }

  async choose(target: Locator, option: string): Promise<void> {
    this.clicks += 2
    await target.selectOption(option)
  }

  async task(name: string, run: () => Promise<void>): Promise<void> {
    this.clicks = 0
    this.keys = 0
    const start = Date.now()
    await test.step(name, run)
    const seconds = (Date.now() - start) / 1000
    this.tasks.push({ name, clicks: this.clicks, keys: this.keys, seconds })
  }

  table(): string {
    const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
    return [
      row(['task', 'clicks', 'keys', 'the program, s', 'an admin, s']),
      row(['---', '--:', '--:', '--:', '--:']),
      ...this.tasks.map((task) => {
        const { name, clicks, keys, seconds } = task
        return row([name, clicks, keys, seconds.toFixed(1), adminSeconds(task).toFixed(0)])
      }),
    ].join('\n')
  }
}

const events = (page: Page) => page.getByRole('tab', { name: 'Events' })

test('an admin does each task without a manual', async ({ page, adminApi, context }) => {
  test.setTimeout(300_000)
  page.setDefaultTimeout(15_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  for (let number = 1; number <= 50; number += 1) {
    await addEvent(adminApi, `Zephyr ${number}`, { date: daysFromToday(20 + number) })
  }
  const tourId = await addEvent(adminApi, 'Waterfront tour', {
    type: 'In-Person Events',
    date: daysFromToday(9),
  })
  await addEvent(adminApi, 'Last month', { date: daysFromToday(-30) })
  for (const visitor of ['user_1_a', 'user_1_b', 'user_1_c']) {
    const data = { action: 'add', userId: visitor }
    await adminApi.put(`/api/events/${tourId}/interest`, { data })
  }
  await signIn(page, adminApi)
  await open(page, '/admin')
  await expect(page.getByRole('article').first()).toBeVisible()
  const timer = new TaskTimer()

  await timer.task('Write a draft with a title', async () => {
    await timer.click(button(page, 'Create New Event'))
    await timer.type(page.getByLabel('Title'), 'Reading an offering')
    await timer.click(button(page, 'Save Draft'))
    await expectToast(page, 'Event created successfully')
  })

  await timer.task('Copy its preview link and open it', async () => {
    await timer.click(button(page, 'Copy preview link to Reading an offering'))
    await expectToast(page, 'Preview link copied')
    const tab = context.waitForEvent('page')
    await timer.click(button(page, 'Open Preview'))
    await (await tab).close()
  })

  /** Fills in what a webinar needs besides its title. */
  const complete = async (days: number) => {
    const fields: [string, string][] = [
      ['Summary', 'One deal, read line by line.'],
      ['Description', 'Bring an offering, and a pencil.'],
      ['Registration URL', 'https://example.com/offering'],
    ]
    for (const [label, text] of fields) await timer.type(page.getByLabel(label), text)
    await timer.type(page.getByLabel('Date', { exact: true }), daysFromToday(days))
    await timer.type(page.getByLabel('Time', { exact: true }), '19:00')
    await timer.click(page.getByRole('combobox', { name: 'Add a speaker or host' }))
    const speakers = page.getByRole('listbox', { name: 'Speakers' })
    await timer.click(speakers.getByRole('option').first())
  }

  await timer.task('Complete the draft and schedule it', async () => {
    await timer.click(button(page, 'Edit Reading an offering'))
    await complete(15)
    await timer.choose(page.getByLabel('Status'), 'Scheduled')
    await timer.type(page.getByLabel('Publish at'), `${daysFromToday(7)}T09:00`)
    await timer.click(button(page, 'Update Event'))
    await expectToast(page, 'Event updated successfully')
    await expect(card(page, 'Reading an offering')).toContainText('Scheduled: visible from')
  })

  await timer.task('Make a series of five, one each week', async () => {
    await timer.click(button(page, 'Create New Event'))
    await timer.type(page.getByLabel('Title'), 'Tax Tuesday')
    await timer.type(page.getByLabel('Series'), 'Tax Tuesdays')
    await complete(12)
    await timer.choose(page.getByLabel('How often'), 'week')
    await timer.type(page.getByLabel('Number of dates'), '5')
    await timer.click(button(page, 'Create 5 Events'))
    await expectToast(page, '5 events created successfully')
  })

  await timer.task('Change the time of fifty events', async () => {
    await timer.type(page.getByRole('searchbox', { name: 'Find' }), 'zephyr')
    await timer.click(page.getByRole('checkbox', { name: 'Select all 50 that match' }))
    await timer.click(button(page, 'Change 50 events'))
    const dialog = page.getByRole('dialog')
    await timer.type(dialog.getByLabel('Time'), '18:30')
    await timer.click(button(dialog, 'Preview'))
    await timer.click(button(dialog, 'Change 50 events'))
    await expectToast(page, '50 events changed successfully')
  })

  await timer.task('Undo that', async () => {
    await timer.click(button(page, 'Undo').last())
    await expectToast(page, 'The change of 50 events was undone')
  })

  await timer.task('Export them as a spreadsheet', async () => {
    await timer.click(button(page, 'Export'))
    const file = page.waitForEvent('download')
    await timer.click(button(page, 'Spreadsheet (CSV)'))
    await (await file).path()
  })

  await timer.task('Import a spreadsheet of two events', async () => {
    await timer.click(page.getByRole('link', { name: 'Import Events' }))
    const rows = ['Title,Date,Time,Type', `New one,${daysFromToday(60)},7 PM,Special`]
    rows.push(`New two,${daysFromToday(61)},7 PM,Special`)
    await page.getByLabel('CSV or calendar file').setInputFiles({
      name: 'two.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(rows.join('\n')),
    })
    // Choosing the file in the dialog of the system.
    timer.pressed(2)
    await timer.click(button(page, 'Import 2 Events'))
    await expectToast(page, 'Events imported successfully')
    await timer.click(page.getByRole('link', { name: 'Show Events' }))
  })

  await timer.task('Cancel an event', async () => {
    await timer.type(page.getByRole('searchbox', { name: 'Find' }), 'zephyr 7')
    await timer.click(button(page, 'Edit Zephyr 7'))
    await timer.choose(page.getByLabel('Status'), 'Cancelled')
    await timer.click(button(page, 'Update Event'))
    await expectToast(page, 'Event updated successfully')
  })

  await timer.task('Add the recording of a past event', async () => {
    await timer.type(page.getByRole('searchbox', { name: 'Find' }), 'last month')
    await timer.click(button(page, 'Edit Last month'))
    await timer.type(page.getByLabel('Recording URL'), 'https://example.com/watch')
    await timer.click(button(page, 'Update Event'))
    // The toast of the task before has the same words.
    await expect(page.getByRole('heading', { name: 'Edit Event' })).toBeHidden()
  })

  await timer.task('See who plans to attend, and how that changed', async () => {
    await timer.type(page.getByRole('searchbox', { name: 'Find' }), 'waterfront tour')
    await expect(card(page, 'Waterfront tour')).toContainText('3 investors attending')
    await timer.click(button(page, 'Edit Waterfront tour'))
    await expect(page.getByRole('table', { name: 'Attendance by day' })).toBeAttached()
    await timer.click(button(page, 'Cancel'))
  })

  await timer.task('Change the name and the color of the company', async () => {
    await timer.click(page.getByRole('tab', { name: 'Calendar CMS' }))
    await timer.click(button(page, 'Edit Company'))
    await timer.type(page.getByLabel('Company name'), 'Marlow & Reyes')
    await timer.type(page.getByLabel(/^Accent color, light/), '#ff8800')
    await timer.click(button(page, 'Save Changes'))
    await expectToast(page, 'Company settings updated successfully')
    await timer.click(events(page))
  })

  console.log(timer.table())
  await writeFile(test.info().outputPath('admin-task-times.md'), timer.table())
})

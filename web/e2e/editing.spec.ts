import { daysFromToday } from './support/event-data.ts'
import { expectAccessibleEverywhere, expectNoSidewaysScroll, open } from './support/page.ts'
import { addEvent, button, card, openEvents, signIn } from './support/portal.ts'
import { expect, expectToast, test } from './support/test.ts'

test('I select rows of the table and change them together', async ({ page, adminApi }) => {
  for (const number of [1, 2]) await addEvent(adminApi, `Tabled ${number}`)
  await openEvents(page, adminApi, '?q=tabled')
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Select Tabled 1' }).check()
  await expect(button(page, 'Change 1 event')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select Tabled 2' }).check()
  await expectAccessibleEverywhere(page)
  await button(page, 'Change 2 events').click()
  await expect(page.getByRole('dialog', { name: 'Change 2 events' })).toBeVisible()
  await page.keyboard.press('Escape')
  for (const width of [1080, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoSidewaysScroll(page)
    await expect(page.getByRole('checkbox', { name: 'Select Tabled 2' })).toBeChecked()
  }
})

test('the name of a series is suggested from those that exist', async ({ page, adminApi }) => {
  await addEvent(adminApi, 'First of them', { series: 'Tax Tuesdays' })
  await openEvents(page, adminApi, '?event=new')
  // The names are fetched with the form.
  const suggested = () =>
    page
      .getByLabel('Series')
      .evaluate((input: HTMLInputElement) =>
        [...(input.list?.options ?? [])].map(({ value }) => value),
      )
  await expect.poll(suggested).toContain('Tax Tuesdays')
  const names = await suggested()
  expect(new Set(names).size).toBe(names.length)
})

test('I save a draft from the top of the form, and copy its preview link from its card', async ({
  page,
  adminApi,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const title = 'Saved half way'
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await openEvents(page, adminApi, '?event=new')
    await expect(button(page, 'Save Draft')).toBeInViewport({ ratio: 1 })
    await expect(button(page, 'Create Event')).toBeInViewport({ ratio: 1 })
  }
  await expectAccessibleEverywhere(page)
  await button(page, 'Save Draft').click()
  await expect(page.getByLabel('Title')).toHaveAccessibleDescription('Title is required')
  await expect(page.getByText('Summary is required')).toBeHidden()
  await page.getByLabel('Title').fill(title)
  await button(page, 'Save Draft').click()
  await expectToast(page, 'Event created successfully')
  await expect(card(page, title).getByText('Draft', { exact: true })).toBeVisible()

  await button(page, `Copy preview link to ${title}`).click()
  await expectToast(page, 'Preview link copied')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await page.context().clearCookies()
  await open(page, link)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
})

test('what has the focus is not behind the buttons of a long form', async ({ page, adminApi }) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await openEvents(page, adminApi, '?event=new')
  await page.getByLabel('Title').focus()
  const bar = await button(page, 'Create Event').boundingBox()
  for (let step = 0; step < 16; step += 1) {
    await page.keyboard.press('Tab')
    const top = await page.evaluate(() => {
      const element = document.activeElement
      const isInBar = element?.textContent.match(/^(Save Draft|Cancel|Create Event)$/)
      return isInBar ? 0 : (element?.getBoundingClientRect().top ?? 0)
    })
    expect(top, `after ${step + 1} tabs`).toBeLessThan((bar?.y ?? 0) - 16)
  }
})

test('I duplicate an event for every second week by a rule', async ({ page, adminApi }) => {
  await addEvent(adminApi, 'Fortnightly', { date: daysFromToday(10) })
  await openEvents(page, adminApi, '?q=fortnightly')
  await button(page, 'Duplicate Fortnightly').click()
  const dialog = page.getByRole('dialog', { name: 'Duplicate Event' })
  await dialog.getByLabel('Repeat').selectOption('two-weeks')
  await dialog.getByLabel('Number of dates').fill('3')
  await button(dialog, 'Fill In the Dates').click()
  await expect(dialog.getByLabel(/^Date \d$/)).toHaveCount(3)
  await expect(dialog.getByRole('textbox', { name: 'Date 1' })).toHaveValue(daysFromToday(17))
  await expect(dialog.getByRole('textbox', { name: 'Date 3' })).toHaveValue(daysFromToday(45))
  await expectAccessibleEverywhere(page)
  await button(dialog, 'Create 3 events').click()
  await expectToast(page, '3 events created successfully')
  await expect(card(page, 'Fortnightly')).toHaveCount(4)
})

test('I leave single rows out of an import, and undo what it changed', async ({
  page,
  adminApi,
}) => {
  const day = daysFromToday(50)
  await addEvent(adminApi, 'Known already', { date: day, time: '19:00' })
  await signIn(page, adminApi)
  await open(page, '/admin?view=import')
  const file = [
    'Title,Date,Time,Type,Summary',
    `Known already,${day},19:00,Special,Changed by a file`,
    `Not this one,${day},20:00,Special,New`,
    `But this one,${day},21:00,Special,New`,
  ]
  await page.getByLabel('CSV or calendar file').setInputFiles({
    name: 'season.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(file.join('\n')),
  })
  await page.getByRole('checkbox', { name: 'Import line 3: Not this one' }).uncheck()
  await expect(page.getByText('1 row left out')).toBeVisible()
  await page.getByLabel('1 event that you have already').selectOption('update')
  await expect(button(page, 'Import 2 Events')).toBeEnabled()
  await expectAccessibleEverywhere(page)
  await button(page, 'Import 2 Events').click()
  await expect(page.getByRole('heading', { name: 'The import is done' })).toBeFocused()
  const stored = async () => {
    const lists = await Promise.all(
      ['/api/events', '/api/events/unpublished'].map(async (path) => {
        const list = await adminApi.get(path)
        return (await list.json()) as { title: string; summary: string }[]
      }),
    )
    const mine = lists.flat().filter(({ title }) => /^(Known|Not|But)/.test(title))
    return mine.map(({ title, summary }) => `${title}: ${summary}`).sort()
  }
  expect(await stored()).toEqual(['But this one: New', 'Known already: Changed by a file'])
  await expectAccessibleEverywhere(page)
  await button(page, 'Undo Import').click()
  await expectToast(page, 'Import undone')
  expect(await stored()).toEqual(['Known already: An evening together.'])
})

import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { largeTextProblems } from './support/large-text.ts'
import { cacheFont, expectNoSidewaysScroll, open, setTextSize } from './support/page.ts'
import { addEvent } from './support/portal.ts'
import { timesShown } from './support/shown-times.ts'
import { expect, test } from './support/test.ts'

test.use({ data: 'empty' })

const titles = [
  'Reading an operating agreement line by line',
  'Tax planning for physicians who moonlight',
  'What the waterfall really pays',
  'Self-directed IRA checkbook control',
  'Refinancing in a falling market',
]
const busyDay = '2031-03-12'
const fullDay = '2031-03-14'
const quietDay = '2031-03-11'

/**
 * A week, once per server: on one day five half hours at once and a half hour alone, on another
 * eight at once, and on a third a half hour alone.
 */
async function fillWeek(api: APIRequestContext): Promise<void> {
  const existing = (await (await api.get('/api/events')).json()) as unknown[]
  if (existing.length > 0) return
  // The first saved event needs a speaker.
  const host = { name: 'Dr. Ada Okafor', title: 'Hospitalist', type: 'Guest' }
  expect((await api.post('/api/speakers', { data: host })).status()).toBe(201)
  const add = (date: string, time: string, number: number) =>
    addEvent(api, `${titles[number % 5] ?? ''} ${String(number)}`, {
      date,
      time,
      duration: '30 minutes',
    })
  for (let number = 0; number < 5; number += 1) await add(busyDay, '10:00', number)
  await add(busyDay, '12:30', 5)
  await add(quietDay, '12:30', 6)
  for (let number = 7; number < 15; number += 1) await add(fullDay, '10:00', number)
}

const urlOf = (view: 'week' | 'day', day: string) => `/calendar?view=${view}&day=${day}`

test.beforeEach(async ({ adminApi }) => {
  await fillWeek(adminApi)
})

test('each half hour shows its time with its zone, and a part of its title, in any week and day', async ({
  page,
}) => {
  const chips = page.locator('.rbc-time-content a[data-event]')
  await cacheFont(page)
  // In the week also five of the eight of the full day.
  for (const [view, count] of [
    ['week', 12],
    ['day', 6],
  ] as const) {
    await open(page, urlOf(view, busyDay))
    for (const width of [769, 800, 900, 960, 1000, 1100, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      for (const size of ['100%', '200%']) {
        await setTextSize(page, size)
        // The page may render once more for a new width.
        await expect(
          async () => {
            await expectReadableChips(chips, count)
            await expectNoSidewaysScroll(page)
          },
          `${view} at ${String(width)} px, ${size}`,
        ).toPass({ timeout: 10_000 })
      }
    }
  }
})

/** Expects this number of visible events, each with its time and the start of its title. */
async function expectReadableChips(chips: Locator, count: number): Promise<void> {
  const shown = await chips.evaluateAll(timesShown)
  expect(shown).toEqual(shown.map(() => true))
  const titleWidths = await chips.filter({ visible: true }).evaluateAll((links) =>
    links.map((link) => {
      const title = [...link.querySelectorAll('span')].find(
        ({ children, textContent }) =>
          children.length === 0 && textContent === link.getAttribute('aria-label')?.split(',')[0],
      )
      const chip = link.getBoundingClientRect()
      const box = title?.getBoundingClientRect()
      // What of the title is within the chip.
      if (!box || box.bottom > chip.bottom + 2) return 0
      return Math.min(box.right, chip.right) - box.left
    }),
  )
  expect(titleWidths).toHaveLength(count)
  expect(Math.min(...titleWidths), 'pixels of a title').toBeGreaterThan(40)
}

/** Lays the page out as on A4 paper with margins. */
async function print(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => {
    document.body.style.width = '718px'
  })
}

for (const [view, day, count] of [
  ['week', busyDay, 15],
  ['day', fullDay, 8],
  ['day', busyDay, 6],
] as const) {
  test(`a printed ${view} names its ${String(count)} events in full, in order`, async ({
    page,
  }) => {
    await open(page, urlOf(view, day))
    await expect(page.locator('.rbc-time-content')).toBeVisible()
    await print(page)
    const printed = await page.locator('.rbc-time-content a[data-event]').evaluateAll((links) =>
      links
        .filter((link) => link.checkVisibility())
        .map((link) => {
          const cut = [link, ...link.querySelectorAll('span')]
            .filter((part) => getComputedStyle(part).display !== 'inline')
            .some(
              ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
                scrollWidth > clientWidth || scrollHeight > clientHeight + 1,
            )
          const { top, bottom, right } = link.getBoundingClientRect()
          return {
            text: (link as HTMLElement).innerText,
            day: link.dataset.event,
            cut,
            top,
            bottom,
            right,
          }
        }),
    )
    expect(printed).toHaveLength(count)
    for (const [index, { text, cut, right, top }] of printed.entries()) {
      expect(cut, text).toBe(false)
      expect(text).toMatch(/^\d+:\d\d [AP]M ET\n.* \d+/)
      expect(right).toBeLessThanOrEqual(718)
      expect(top, text).toBeGreaterThanOrEqual(printed[index - 1]?.bottom ?? 0)
    }
    await expect(page.getByText(/^\+\d more/).filter({ visible: true })).toHaveCount(0)
    if (view === 'week') {
      expect(printed[0]?.day).toBe(quietDay)
      const names = await page
        .locator('.rbc-time-content [role=group]:visible')
        .evaluateAll((days) => days.map((day) => getComputedStyle(day, '::before').content))
      expect(names).toEqual(['"Tuesday, March 11"', '"Wednesday, March 12"', '"Friday, March 14"'])
    }
  })
}

test('with large text the period, the views and the days of the calendar do not overlap', async ({
  page,
}) => {
  await page.clock.setFixedTime('2026-11-23T15:00:00Z')
  for (const path of [
    '/calendar?view=day',
    urlOf('day', '2026-09-30'),
    urlOf('week', '2026-09-30'),
    '/calendar?month=2026-09',
  ]) {
    await open(page, path)
    await setTextSize(page, '200%')
    for (const width of [769, 800, 900, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      // The page may render once more for a new width.
      await expect(
        async () => {
          await expectNothingOverlaps(page)
          if (path === '/calendar?view=day') await expectTodayWithinItsRow(page)
        },
        `${path} at ${String(width)} px`,
      ).toPass({ timeout: 10_000 })
    }
  }
})

async function expectNothingOverlaps(page: Page): Promise<void> {
  const controls = page.getByRole('group', { name: 'Calendar controls' })
  expect(await page.evaluate(largeTextProblems, '*')).toEqual({ broken: [], overlaps: [] })
  const bar = await controls.boundingBox()
  const last = await controls.getByRole('button', { name: 'Day' }).boundingBox()
  expect((last?.x ?? NaN) + (last?.width ?? NaN)).toBeLessThanOrEqual(
    (bar?.x ?? NaN) + (bar?.width ?? NaN),
  )
  await expectNoSidewaysScroll(page)
}

async function expectTodayWithinItsRow(page: Page): Promise<void> {
  const head = page.locator('.rbc-time-header')
  const today = await head.locator('b').boundingBox()
  const row = await head.boundingBox()
  expect((today?.y ?? NaN) + (today?.height ?? NaN)).toBeLessThanOrEqual(
    (row?.y ?? NaN) + (row?.height ?? NaN),
  )
}

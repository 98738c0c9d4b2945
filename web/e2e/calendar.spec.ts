import type { APIRequestContext, Page } from '@playwright/test'
import { measureUpToFiveTimes } from './support/measure.ts'
import {
  cacheFont,
  eventsApi,
  expectAccessibleAtEveryWidth,
  expectAccessibleInBothThemes,
  expectHeadingOfTab,
  expectNoSidewaysScroll,
  open,
  setTextSize,
} from './support/page.ts'
import { addLiveWebinar, daysFromToday } from './support/event-data.ts'
import { addEvent } from './support/portal.ts'
import { timesShown } from './support/shown-times.ts'
import { expect, test, withMotion } from './support/test.ts'

test.use(withMotion)

interface Listed {
  id: number
  date: string
  title: string
  type: string
}

/** The demo events from the API. */
async function listed(page: Page): Promise<Listed[]> {
  return (await (await page.request.get('/api/events')).json()) as Listed[]
}

/** The events of the month that is `months` after this one. */
async function eventsOfMonth(page: Page, months = 0): Promise<Listed[]> {
  const now = new Date()
  const month = new Date(now.getFullYear(), now.getMonth() + months, 1)
  const prefix = `${month.getFullYear()}-${String(month.getMonth() + 1).padStart(2, '0')}`
  return (await listed(page)).filter(({ date }) => date.startsWith(prefix))
}

/** The link of an event in the calendar. */
const eventLink = (page: Page, { title }: Listed) =>
  page.locator('#calendar').getByRole('link', { name: title })

/** Goes three months ahead, whose events are not in the page. */
async function goThreeMonthsAhead(page: Page, path: string): Promise<void> {
  await page.goto(path)
  for (let month = 0; month < 3; month++) {
    await page.getByRole('link', { name: 'Next month' }).first().click()
  }
}

test('I see this month’s events without another request', async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto('/')
  const [first] = await eventsOfMonth(page)
  if (!first) throw new Error('The demo has no event in this month')
  await expect(page.getByRole('table').getByRole('link', { name: first.title })).toBeVisible()
  expect(requests).not.toContain('/api/events')
})

test('I go to any month', async ({ page }) => {
  await goThreeMonthsAhead(page, '/')
  for (const event of await eventsOfMonth(page, 3)) {
    await expect(eventLink(page, event)).toBeVisible()
  }
  await page.getByRole('link', { name: 'Today' }).click()
  await expect(page.locator('td[aria-current=date]')).toHaveCount(1)
})

test('a month after the last event leads me back to it', async ({ page }) => {
  const last = (await listed(page)).at(-1)
  if (!last) throw new Error('The demo has no event')
  const year = Number(last.date.slice(0, 4))
  const link = page.getByRole('link', { name: `Last event: ${last.title}` })
  await open(page, `/calendar?month=${String(year + 3)}-05`)
  await expect(link).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await link.press('Enter')
  await expect(page).toHaveURL(new RegExp(`month=${last.date.slice(0, 7)}`))
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeFocused()
  await expect(eventLink(page, last)).toBeVisible()

  // Each type has its own last event, in or outside of the months that the page has.
  const before = (await listed(page)).filter(({ type }) => type !== last.type).at(-1)
  await open(page, `/?month=${String(year + 3)}-05`)
  await expect(link).toBeVisible()
  await open(page, `/calendar?month=${String(year + 3)}-05`)
  await page.getByRole('combobox', { name: 'Event type' }).selectOption(before?.type ?? '')
  await page.getByRole('link', { name: `Last event: ${before?.title ?? ''}` }).click()
  await expect(page).toHaveURL(new RegExp(`month=${before?.date.slice(0, 7) ?? ''}`))
})

test('I move through the month with the keyboard and open an event', async ({ page }) => {
  await page.goto('/')
  const events = page.getByRole('table').locator('a[data-event]')
  // The keys are loaded after the page.
  await expect(async () => {
    await events.first().focus()
    await page.keyboard.press('ArrowRight')
    await expect(events.nth(1)).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('End')
  await expect(events.last()).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { level: 2 })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(events.first()).toBeFocused()
})

test('the week and the day scroll to the first event', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Week', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Week', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(page.getByRole('group', { name: /^Sunday, / })).toBeAttached()
  await page.getByRole('button', { name: 'Day', exact: true }).click()
  await expect(page.getByRole('heading', { name: /day, \w+ \d+, \d{4}$/ })).toBeVisible()
  await expect
    .poll(() => page.locator('.rbc-time-content:not([inert] *)').evaluate((box) => box.scrollTop))
    .toBeGreaterThan(300)
})

test('an event at night does not hide the day, nor a week with few events a part of it', async ({
  page,
  adminApi,
}) => {
  const week = '/calendar?view=week&day=2031-03-12'
  const box = page.locator('.rbc-time-content')
  const top = () => box.evaluate(({ scrollTop }) => Math.round(scrollTop))
  const add = (title: string, time: string) =>
    addEvent(adminApi, title, { date: '2031-03-12', time })
  for (const [title, time, expected] of [
    ['Night', '00:30', -8],
    ['Evening', '19:00', 19 * 56 - 8],
    ['Early', '06:00', 6 * 56 - 8],
  ] as const) {
    await add(title, time)
    await page.goto(week)
    await expect(page.getByRole('link', { name: new RegExp(`^${title}, `) })).toBeVisible()
    const end = await box.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
    expect(await top(), title).toBe(Math.max(0, Math.min(expected, end)))
  }
  await page.getByRole('link', { name: /^Night, / }).focus()
  await expect.poll(top).toBeLessThan(40)

  await page.setViewportSize({ width: 769, height: 900 })
  const hidden = await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect(hidden).toBe(0)
})

test('without a connection I see a message, and the events return with it', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_INTERNET_DISCONNECTED/)
  await open(page, '/')
  await expect(page.getByRole('table')).toBeVisible()
  await page.context().setOffline(true)
  for (let month = 0; month < 3; month++) {
    await page.getByRole('link', { name: 'Next month' }).click()
  }
  await expect(page.locator('#calendar').getByText('You are offline')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('table')).toBeVisible()
})

test(
  'a month changes without delay, even with hundreds of events',
  { tag: '@speed' },
  async ({ page }) => {
    const events = await listed(page)
    const many = Array.from({ length: 500 }, (_, index) => ({
      ...events[index % events.length],
      id: 10_000 + index,
      date: daysFromToday(index % 90),
    }))
    await page.route(eventsApi, (route) => route.fulfill({ json: many }))
    await goThreeMonthsAhead(page, '/calendar')
    const slowest = await measureUpToFiveTimes(100, async () => {
      await page.getByRole('link', { name: 'Today' }).click()
      await expect(page.getByRole('table')).toBeVisible()
      const times = await page.evaluate(async () => {
        const next = document.querySelector<HTMLElement>('[aria-label="Next month"]')
        const durations: number[] = []
        for (let step = 0; step < 3; step++) {
          const start = performance.now()
          next?.click()
          await new Promise(requestAnimationFrame)
          await new Promise((resolve) => setTimeout(resolve))
          durations.push(performance.now() - start)
          await new Promise((resolve) => setTimeout(resolve, 300))
        }
        return durations
      })
      return Math.max(...times)
    })
    expect(Math.min(...slowest), `in ms: ${slowest.join(', ')}`).toBeLessThan(100)
  },
)

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('I get the list and never load week and day', async ({ page }) => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto('/')
    const today = await page.evaluate(() => new Date().toLocaleDateString('sv'))
    const month = await eventsOfMonth(page)
    const past = month.filter(({ date }) => date < today)
    const [first] = past
    const earlier = page.getByText(/\d+ earlier event/)
    // In the first days of a month there may be none.
    await expect(earlier).toHaveCount(first ? 1 : 0)
    if (first) {
      await expect(eventLink(page, first)).toBeHidden()
      await expect(earlier).toContainText(`${past.length} earlier event`)
      await earlier.click()
      await expect(eventLink(page, first)).toBeVisible()
      await expect(eventLink(page, first).getByText(/ for \d+\sminutes$/)).toBeVisible()
    }
    await expect(page.getByRole('columnheader')).toHaveCount(0)

    await page.getByRole('link', { name: 'Next month' }).click()
    await expect(earlier).toHaveCount(0)
    const [next] = await eventsOfMonth(page, 1)
    if (!next) throw new Error('The demo has no event in the next month')
    await eventLink(page, next).click()
    await expect(page.getByRole('dialog', { name: next.title })).toBeVisible()
    expect(requests.filter((url) => /assets\/(time-grid|grid-navigation)-/.test(url))).toEqual([])
  })
})

test.describe('on a phone with an event in progress', () => {
  test.use({ data: 'empty', viewport: { width: 390, height: 844 } })

  test('I read all of it in the list', async ({ page, adminApi }) => {
    await addLiveWebinar(adminApi, 'A long evening about rent rolls, reserves and refinancing')
    await page.goto('/calendar')
    const link = page.getByRole('link', { name: /A long evening/ })
    await expect(link.getByText('Live now')).toBeVisible()
    const overflow = await link.evaluate(
      (element) =>
        [element, ...element.querySelectorAll('*')].filter((part) => {
          const style = getComputedStyle(part)
          return style.overflowX !== 'visible' && part.scrollWidth > part.clientWidth
        }).length,
    )
    expect(overflow).toBe(0)
  })
})

test('the month is in the URL: I share it, reload it and go back', async ({ page }) => {
  await page.goto('/calendar')
  const heading = page.locator('h2[aria-live]')
  const thisMonth = await heading.innerText()
  const next = page.getByRole('link', { name: 'Next month' }).first()
  await next.click()
  await next.click()
  await expect(page).toHaveURL(/\/calendar\?month=\d{4}-\d\d$/)
  await expect(heading).not.toHaveText(thisMonth)
  const later = await heading.innerText()
  await page.reload()
  await expect(heading).toHaveText(later)
  await page.goBack()
  await page.goBack()
  await expect(heading).toHaveText(thisMonth)
  await page.getByRole('button', { name: 'Week', exact: true }).click()
  await expect(page).toHaveURL(/\?view=week&day=/)
  await page.reload()
  await expect(page.getByRole('group', { name: /^Sunday, / })).toBeAttached()
})

test('an event is a link that I can open in a new tab', async ({ page }) => {
  await page.goto('/')
  const [first] = await eventsOfMonth(page)
  if (!first) throw new Error('The demo has no event in this month')
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    eventLink(page, first).click({ modifiers: ['ControlOrMeta'] }),
  ])
  await expectHeadingOfTab(tab, 'h1', first.title)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

/** Adds 40 events in the month after next, once per server, five of them at once on the 17th. */
async function fillMonth(api: APIRequestContext): Promise<string> {
  const now = new Date()
  const first = new Date(Date.UTC(now.getFullYear(), now.getMonth() + 2, 1, 12))
  const month = first.toISOString().slice(0, 7)
  const existing = (await (await api.get('/api/events')).json()) as Listed[]
  if (existing.some(({ title }) => title === 'Reading number 1')) return month
  for (let index = 0; index < 40; index += 1) {
    const day = index < 5 ? 17 : String((index % 16) + 1).padStart(2, '0')
    await addEvent(api, `Reading number ${index + 1}`, { date: `${month}-${day}` })
  }
  return month
}

test('five events at once stay readable in the week and in the month', async ({
  page,
  adminApi,
}) => {
  const month = await fillMonth(adminApi)
  for (const width of [769, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/calendar?view=week&day=${month}-17`)
    const titles = page.getByText(/^Reading number [1-5]$/).filter({ visible: true })
    await expect(titles).toHaveCount(5)
    const widths = await titles.evaluateAll((all) =>
      all.map((title) => title.closest('a')?.getBoundingClientRect().width ?? 0),
    )
    expect(Math.min(...widths), `at ${width} px`).toBeGreaterThan(70)
    // Each starts at its hour, 7 PM.
    const tops = await titles.evaluateAll((all) => {
      const hour = [...document.querySelectorAll('.rbc-time-gutter .rbc-timeslot-group')][19]
      const top = hour?.getBoundingClientRect().top ?? NaN
      return all.map((title) =>
        Math.round((title.closest('a')?.getBoundingClientRect().top ?? 0) - top),
      )
    })
    expect(tops, `at ${width} px`).toEqual([0, 0, 0, 0, 0])
    await expectNoSidewaysScroll(page)
  }
  await page.goto(`/calendar?month=${month}`)
  const cell = page.locator(`#day-${month}-17`)
  await expect(cell.getByRole('link', { name: /^\+\d more/ })).toBeVisible()
  await expect(cell.getByText('7:00 PM ET').first()).toBeVisible()
})

test('when the list of a full day fails to load, its cell opens instead', async ({
  page,
  adminApi,
  consoleMessages,
}) => {
  consoleMessages.allow(/day-dialog/)
  const month = await fillMonth(adminApi)
  await page.route('**/assets/day-dialog-*.js', (route) => route.abort())
  await page.goto(`/calendar?month=${month}`)
  const cell = page.locator(`#day-${month}-17`)
  const more = cell.getByRole('link', { name: /^\+\d more/ })
  await more.click()
  await expect(cell.getByRole('link', { name: /^Reading/ })).toHaveCount(5)
  await expect(more).toBeHidden()
})

test('chips show their time with its zone at any width, in progress or not', async ({
  page,
  adminApi,
}) => {
  const days = { '2031-05-13': 1, '2031-05-14': 4, '2031-05-15': 2 }
  for (const [date, count] of Object.entries(days)) {
    for (const time of ['10:00', '12:30', '16:00', '20:30'].slice(0, count)) {
      await addEvent(adminApi, `A long title of an event at ${time}`, { date, time })
    }
  }
  const chips = page.locator('td').getByRole('link', { name: /^A long title/ })
  await cacheFont(page)
  // In progress is one of the day of four, or of two.
  for (const day of [14, 15]) {
    await page.clock.setFixedTime(`2031-05-${String(day)}T14:30:00Z`)
    await open(page, '/calendar?month=2031-05')
    const live = chips.filter({ hasText: 'Live now' })
    for (const [width, size] of [
      [769, '100%'],
      [800, '100%'],
      [900, '100%'],
      [1000, '100%'],
      [1100, '100%'],
      [1440, '100%'],
      [1440, '200%'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await setTextSize(page, size)
      await expect(live).toHaveCount(1)
      // Two of the day of four, which counts the others.
      await expect
        .poll(() => chips.evaluateAll(timesShown), `at ${width} px and ${size}`)
        .toEqual([true, true, true, true, true])
      await expect(live).toHaveText(/^\s*10:00 AM ET/)
    }
  }
})

test('today, with more events than fit, shows what is not over', async ({ page, adminApi }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const zone = { date: '2031-06-11', timezone: 'UTC' }
  await page.clock.setFixedTime('2031-06-11T12:00:00Z')
  for (const time of ['00:00', '00:01', '00:02']) {
    await addEvent(adminApi, `Over since ${time}`, { ...zone, time })
  }
  await addEvent(adminApi, 'The last one', { ...zone, time: '23:59' })
  await open(page, '/calendar?month=2031-06')
  const cell = page.locator('td[aria-current=date]')
  await expect(cell.getByRole('link', { name: /^The last one/ })).toBeVisible()
  await expect(cell.getByRole('link', { name: /^Over since 00:00/ })).toBeHidden()
})

test('text twice as large breaks no word and overlaps nothing in the month', async ({ page }) => {
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await open(page, '/calendar')
    await setTextSize(page, '200%')
    const broken = await page.locator('td a span:visible').evaluateAll((parts) =>
      parts.flatMap(({ firstChild }) => {
        if (!(firstChild instanceof Text)) return []
        return [...firstChild.data.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
          const range = document.createRange()
          range.setStart(firstChild, index)
          range.setEnd(firstChild, index + word.length)
          // A hyphenated word may break after its hyphen.
          return range.getClientRects().length > word.split(/[-–]/).length ? [word] : []
        })
      }),
    )
    expect(broken, `at ${width} px`).toEqual([])
    await expectNoSidewaysScroll(page)
  }
})

test('the calendar is accessible on a phone and on a desktop, and fits the narrowest phone', async ({
  page,
}) => {
  await open(page, '/calendar')
  await expect(page.getByText(/events? shown$/)).toBeAttached()
  await expectAccessibleAtEveryWidth(page)

  for (const view of ['Week', 'Day']) {
    await page.getByRole('button', { name: view, exact: true }).click()
    await expect(page.getByRole('button', { name: view, exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await expectAccessibleInBothThemes(page)
  }
})

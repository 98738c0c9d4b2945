import type { Locator, Page } from '@playwright/test'
import { largeTextProblems } from './support/large-text.ts'
import { startLectern, admin } from './support/lectern.ts'
import {
  eventsApi,
  expectAccessibleEverywhere,
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
  open,
  waitForReact,
  setTextSize,
} from './support/page.ts'
import { addInPersonEvent } from './support/event-data.ts'
import { signIn } from './support/portal.ts'
import { expect, test } from './support/test.ts'

/** Makes the API return five events, all on one day in three months. */
async function fillOneDay(page: Page): Promise<void> {
  const [event] = (await (await page.request.get('/api/events')).json()) as object[]
  const now = new Date()
  const date = new Date(Date.UTC(now.getFullYear(), now.getMonth() + 3, 15))
  const many = Array.from({ length: 5 }, (_, index) => ({
    ...event,
    id: 9000 + index,
    title: `Reading number ${index + 1}`,
    date: date.toISOString().slice(0, 10),
  }))
  await page.route(eventsApi, (route) => route.fulfill({ json: many }))
}

async function goAhead(page: Page, months: number): Promise<void> {
  // Before that, a click on the link requests the month's page, whose events the routes above do not replace.
  await waitForReact(page)
  for (let month = 0; month < months; month += 1) {
    await page.getByRole('link', { name: 'Next month' }).first().click()
  }
}

test('a month without events shows a message over the grid and leads on', async ({ page }) => {
  await fillOneDay(page)
  await page.goto('/calendar')
  await expect(page.getByRole('table')).toBeVisible()
  const height = () => page.evaluate(() => document.documentElement.scrollHeight)
  const before = await height()
  await goAhead(page, 4)
  await expect(page.getByText('No events scheduled this month')).toBeVisible()
  expect(await height()).toBe(before)
  await page.getByRole('link', { name: 'Next month' }).last().click()
  await expect(page.locator('h2[aria-live]')).toBeFocused()
})

test('full, empty and failed months are accessible on a phone and on a desktop', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/503/)
  await fillOneDay(page)
  await open(page, '/calendar')
  await goAhead(page, 3)
  await expect(page.getByRole('link', { name: /Reading number 1/ }).first()).toBeVisible()
  await page.getByRole('link', { name: /^\+\d more/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await goAhead(page, 1)
  await expect(page.getByText('No events scheduled this month')).toBeVisible()
  await expectAccessibleEverywhere(page)

  await page.unroute(eventsApi)
  await page.route(eventsApi, (route) => route.fulfill({ status: 503, body: '{}' }))
  await open(page, '/calendar')
  await goAhead(page, 3)
  await expect(page.getByText('Unable to load events')).toBeVisible()
  await expectAccessibleEverywhere(page)
})

test('text twice as large fits at any width', async ({ page }) => {
  const events = (await (await page.request.get('/api/events')).json()) as {
    id: number
    path: string
    type: string
  }[]
  const inPerson = events.filter(({ type }) => type === 'In-Person Events').at(-1)
  const online = events.filter(({ type }) => type !== 'In-Person Events').at(-1)
  const dialogs = [inPerson, online].map((event) => `/calendar?event=${String(event?.id)}`)
  for (const path of ['/', '/calendar', inPerson?.path ?? '', online?.path ?? '', ...dialogs]) {
    await open(page, path)
    if (path.includes('?')) await expect(page.getByRole('dialog')).toBeVisible()
    await setTextSize(page, '200%')
    for (const width of [320, 390, 700, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      // The page may render once more for a new width.
      await expect(
        async () => {
          await expectNoSidewaysScroll(page)
          // Narrower than a phone, long words have no line that is long enough.
          if (width < 390) return
          const problems = await page.evaluate(largeTextProblems, '*')
          expect(problems).toEqual({ broken: [], overlaps: [] })
        },
        `${path} at ${String(width)} px`,
      ).toPass({ timeout: 10_000 })
    }
  }
})

test('with text twice as large the message of an empty month covers no day', async ({ page }) => {
  await open(page, '/calendar?month=2031-01')
  await expect(page.getByText('No events scheduled this month')).toBeVisible()
  await setTextSize(page, '200%')
  expect(await page.evaluate(largeTextProblems, '*')).toEqual({ broken: [], overlaps: [] })
  const message = await page.getByText('No events scheduled this month').boundingBox()
  const table = await page.getByRole('table').boundingBox()
  expect((message?.y ?? NaN) + (message?.height ?? NaN)).toBeLessThan(table?.y ?? NaN)
  await expectNoSidewaysScroll(page)
})

test('on a phone the header fits on one line with the whole company name', async ({ page }) => {
  for (const width of [390, 520]) {
    await page.setViewportSize({ width, height: 800 })
    await open(page, '/')
    const main = page.getByRole('navigation', { name: 'Main' })
    const middle = async (part: Locator) => {
      const box = await part.boundingBox()
      return box && Math.round(box.y + box.height / 2)
    }
    const line = await middle(main.getByRole('link', { name: 'Search events' }))
    expect(await middle(main.getByRole('link', { name: 'Calendar' }))).toBe(line)
    const name = page.getByRole('banner').getByText('Your Company')
    expect(await middle(name)).toBe(line)
    expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    // Both links fit next to the search on wider phones only.
    const subscribe = main.getByRole('link', { name: 'Subscribe' })
    if (width > 480) expect(await middle(subscribe)).toBe(line)
    else await expect(subscribe).toBeHidden()
  }
})

test('the header has the whole company name or none, with usual and large text', async ({
  page,
  adminApi,
}) => {
  await signIn(page, adminApi)
  for (const isSignedIn of [true, false]) {
    if (!isSignedIn) await page.context().clearCookies()
    await open(page, '/')
    if (isSignedIn) await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
    const logo = page.getByRole('banner').getByRole('link', { name: 'Your Company, home' })
    for (const size of ['100%', '200%']) {
      await setTextSize(page, size)
      for (const width of [320, 390, 480, 520, 700, 769, 800, 900, 1080, 1440]) {
        await page.setViewportSize({ width, height: 800 })
        await expect(logo).toBeVisible()
        const shown = await logo.evaluate(shownShare)
        expect([0, 1], `${String(shown)} at ${String(width)} px`).toContain(shown)
        if (width > (size === '200%' && isSignedIn ? 1500 : 1000)) expect(shown).toBe(1)
        await expectNoSidewaysScroll(page)
        const { overlaps } = await page.evaluate(largeTextProblems, '*')
        const header = overlaps.filter((pair) => /Calendar|Portal|Logout|Company/.test(pair))
        expect(header, `at ${String(width)} px, ${size}`).toEqual([])
      }
    }
  }
})

/** The share of a logo's name that the boxes around it show. It runs in the page. */
function shownShare(link: Element): number {
  const name = link.querySelector('span')
  if (!name) return NaN
  const range = document.createRange()
  range.selectNodeContents(name)
  const boxes = [name, link].map((box) => box.getBoundingClientRect())
  let [all, shown] = [0, 0]
  for (const line of range.getClientRects()) {
    const left = Math.max(line.left, ...boxes.map((box) => box.left))
    const right = Math.min(line.right, ...boxes.map((box) => box.right))
    const top = Math.max(line.top, ...boxes.map((box) => box.top))
    const bottom = Math.min(line.bottom, ...boxes.map((box) => box.bottom))
    shown += Math.max(0, right - left) * Math.max(0, bottom - top)
    all += line.width * line.height
  }
  return all === 0 ? 0 : Math.round((shown / all) * 100) / 100
}

test('at 400 % zoom I get the layout of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 })
  await open(page, '/')
  await expect(page.getByRole('columnheader')).toHaveCount(0)
  await expectNoSidewaysScroll(page)
})

test('with forced colors events, today and the selected view keep their borders', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/')
  const border = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => parseFloat(getComputedStyle(element).borderTopWidth))
  await expect(page.getByRole('table')).toBeVisible()
  await expect.poll(() => border('table a[data-event]')).toBeGreaterThanOrEqual(1)
  await expect.poll(() => border('td[aria-current=date]')).toBeGreaterThanOrEqual(1)
  await expect.poll(() => border('button[aria-pressed=true]')).toBeGreaterThanOrEqual(1)
  await expect.poll(() => border('span[data-type]')).toBeGreaterThanOrEqual(1)
})

test('in print every event of a full day is listed, without the toolbar', async ({ page }) => {
  await fillOneDay(page)
  await page.goto('/calendar')
  await goAhead(page, 3)
  await expect(page.getByRole('link', { name: /more on/ })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('link', { name: /more on/ })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Today' })).toBeHidden()
  for (let number = 1; number <= 5; number += 1) {
    const printed = page.getByText(`Reading number ${number}`).filter({ visible: true })
    await expect(printed.first()).toBeVisible()
  }
})

test('in print all speakers of an event are named', async ({ page }) => {
  const [event] = (await (await page.request.get('/api/events')).json()) as object[]
  const speakers = ['Ada', 'Bo', 'Cy', 'Di', 'Ed'].map((name, index) => ({
    speakerId: 900 + index,
    speaker: { id: 900 + index, name, title: 'Host', imageUrl: null, bio: null },
  }))
  const date = new Date(Date.UTC(new Date().getFullYear(), new Date().getMonth() + 3, 15))
  const one = { ...event, date: date.toISOString().slice(0, 10), speakers }
  await page.route(eventsApi, (route) => route.fulfill({ json: [one] }))
  await page.setViewportSize({ width: 700, height: 1000 })
  await page.goto('/calendar')
  await goAhead(page, 3)
  const names = page.locator('table').getByText('Ada, Bo, Cy')
  await expect(names).toBeVisible()
  expect(await names.evaluate((text: HTMLElement) => text.innerText)).toBe('Ada, Bo, Cy +2 more')
  await page.emulateMedia({ media: 'print' })
  expect(await names.evaluate((text: HTMLElement) => text.innerText)).toBe('Ada, Bo, Cy, Di, Ed')
})

test('in print a cancelled and a postponed event say so, in the grid and in the list', async ({
  page,
}) => {
  const [event] = (await (await page.request.get('/api/events')).json()) as object[]
  const date = new Date(Date.UTC(new Date().getFullYear(), new Date().getMonth() + 3, 15))
  const changed = ['cancelled', 'postponed'].map((status, index) => ({
    ...event,
    id: 9000 + index,
    date: date.toISOString().slice(0, 10),
    status,
  }))
  await page.route(eventsApi, (route) => route.fulfill({ json: changed }))
  for (const width of [1000, 700]) {
    await page.setViewportSize({ width, height: 1000 })
    await page.goto('/calendar')
    await goAhead(page, 3)
    await page.emulateMedia({ media: 'print' })
    for (const state of ['Cancelled', 'Postponed']) {
      await expect(page.locator('table').getByText(state, { exact: true })).toBeVisible()
    }
    await page.emulateMedia({ media: 'screen' })
  }
})

/** The lightness of an opaque color, from 0 to 255. */
async function lightnessOf(page: Page, color: string): Promise<number> {
  return page.evaluate((color) => {
    const context = document.createElement('canvas').getContext('2d')
    if (!context) return NaN
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
    return (red + green + blue) / 3
  }, color)
}

test('in print there are no menus, and the icons of event types are dark', async ({ page }) => {
  await fillOneDay(page)
  for (const width of [1000, 700]) {
    await page.setViewportSize({ width, height: 1000 })
    await page.goto('/calendar')
    await goAhead(page, 3)
    await expect(page.getByRole('link', { name: /Reading number 1/ })).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByText('Subscribe to this calendar')).toBeHidden()
    const fills = await page
      .locator('main svg:visible')
      .evaluateAll((icons) => icons.map((icon) => getComputedStyle(icon).fill))
    expect(fills.length, `icons at ${String(width)} px`).toBeGreaterThan(0)
    // Browsers print no backgrounds, so nearly white text would be invisible.
    for (const fill of fills) {
      expect(await lightnessOf(page, fill), fill).toBeLessThan(128)
    }
    await page.emulateMedia({ media: 'screen' })
  }
})

test('icons of event types are also dark on light where backgrounds are printed', async ({
  page,
}) => {
  await page.goto('/calendar')
  await page.emulateMedia({ media: 'print' })
  const backgrounds = await page
    .locator('main [data-type] :has(> svg:not([class*=icon__root])):visible')
    .evaluateAll((blocks) => blocks.map((block) => getComputedStyle(block).backgroundColor))
  expect(backgrounds.length).toBeGreaterThan(5)
  for (const background of backgrounds) {
    expect(await lightnessOf(page, background), background).toBeGreaterThan(200)
  }
})

test('in another time zone I also see my own time', async ({ browser, lectern }) => {
  for (const timezoneId of ['America/New_York', 'Asia/Kolkata']) {
    const context = await browser.newContext({ baseURL: lectern.url, timezoneId })
    const page = await context.newPage()
    await page.goto('/')
    const card = page.getByRole('region', { name: 'Next Event' })
    await expect(card).toBeVisible()
    await expect(page.getByRole('table')).toBeVisible()
    const own = card.getByText(/^Your time: .*\d:\d\d [AP]M \S+$/)
    await expect(own).toHaveCount(timezoneId === 'Asia/Kolkata' ? 1 : 0)
    await context.close()
  }
})

test('with a maps key the venue is shown on a map, and only its frame is requested', async ({
  browser,
}) => {
  const lectern = await startLectern('empty', '[places]\nbrowser_key = "a-key"\n')
  lectern.createAdmin()
  const context = await browser.newContext({ baseURL: lectern.url })
  const requests: string[] = []
  await context.route(/^https?:\/\/(?!127\.0\.0\.1)/, async (route) => {
    requests.push(route.request().url())
    await route.fulfill({ contentType: 'text/html', body: '<p>A map</p>' })
  })
  const page = await context.newPage()
  await page.request.post('/api/auth/login', { data: admin })
  await addInPersonEvent(page.request, 'Property walk', 'ChIJ-a place')
  await page.request.post('/api/auth/logout')
  await page.goto('/')
  const map = page.frameLocator('iframe[title^="Map of The Arcadia House"]')
  await expect(map.getByText('A map')).toBeAttached()
  expect(requests).toEqual([
    'https://www.google.com/maps/embed/v1/place?key=a-key&q=place_id%3AChIJ-a+place',
  ])
  await context.close()
  await lectern.stop()
})

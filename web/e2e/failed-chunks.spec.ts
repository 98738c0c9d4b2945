import type { Page } from '@playwright/test'
import { addWebinar } from './support/event-data.ts'
import { slowDownNetwork } from './support/measure.ts'
import { expectAccessible, open, waitForReact } from './support/page.ts'
import { expect, expectToast, test } from './support/test.ts'

test.use({ data: 'empty' })

/**
 * Makes a chunk fail to load until `restore`, which keeps the requests intercepted: one that is under way while
 * interception ends may never get a response. `failed` resolves when a request for the chunk has failed.
 */
async function failChunk(page: Page, chunk: string) {
  let isFailing = true
  const failed = page.waitForEvent('requestfailed', (request) =>
    request.url().includes(`/${chunk}-`),
  )
  await page.route(`**/assets/${chunk}-*.js`, (route) =>
    isFailing ? route.abort() : route.continue(),
  )
  return { failed, restore: () => (isFailing = false) }
}

interface Event {
  id: number
  path: string
}

/** The event that all tests share. */
async function sharedEvent(page: Page): Promise<Event> {
  const events = (await (await page.request.get('/api/events')).json()) as Event[]
  const event = events.find(({ path }) => eventUrl.test(path))
  if (!event) throw new Error('There is no such event')
  return event
}

const eventUrl = /\/events\/\d+-a-failed-chunk$/

/** Opens the event's page from the search, without a page load. */
async function openEvent(page: Page) {
  await page.keyboard.press('/')
  const field = page.getByRole('combobox', { name: 'Search events' })
  await field.fill('failed chunk')
  await expect(page.getByRole('option', { name: /A failed chunk/ })).toBeVisible()
  await field.press('Enter')
}

test.beforeEach(async ({ adminApi }) => {
  const events = (await (await adminApi.get('/api/events')).json()) as unknown[]
  if (events.length === 0) await addWebinar(adminApi, 'A failed chunk', 'Failed chunks')
})

test('a route that fails to load leaves the page as it is, and the next attempt loads its page', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_FAILED|404|MIME type|A route could not be loaded/)
  await open(page, '/calendar')
  // As where the server has a newer release, whose chunks have other names.
  const older = { status: 404, contentType: 'text/html', body: '' }
  await page.route('**/assets/event-route-*.js', (route) => route.fulfill(older), { times: 1 })
  await page.route(eventUrl, (route) => route.abort())
  await openEvent(page)
  await expectToast(page, 'The page could not be opened. Please try again.')
  await expect(page).toHaveURL(/\/calendar$/)
  await expect(page.getByRole('heading', { name: 'Events Calendar' })).toBeVisible()

  await page.unroute(eventUrl)
  await openEvent(page)
  await expect(page).toHaveURL(eventUrl)
  await expect(page.getByRole('heading', { level: 1, name: 'A failed chunk' })).toBeVisible()
})

// Browsers do not request a failed chunk again, so each further attempt is a page load.
test('the month stays when the week fails to load, until an attempt succeeds', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_FAILED/)
  const section = page.locator('section#calendar')
  const tryAgain = section.getByRole('button', { name: 'Try Again' })
  const chunks = '**/assets/{search-dialog,time-grid}-*.js'
  await page.route(chunks, (route) => route.abort())
  // A URL with a hash, to which a navigation would only scroll.
  await open(page, '/#calendar')
  const month = (await section.getByRole('table').getAttribute('aria-labelledby')) ?? ''
  const heading = await page.locator(`[id="${month}"]`).textContent()
  await page.getByRole('button', { name: 'Week' }).click()
  await expect(section.getByRole('alert')).toContainText('Unable to load the week')
  await tryAgain.focus()
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(tryAgain).toBeFocused()
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    await waitForReact(page)
    await expect(section.getByRole('table', { name: heading ?? '' })).toBeVisible()
    await expect(section.getByRole('link', { name: /A failed chunk/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Month' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
  }
  await expect(tryAgain).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Search events' }).click()
  await expectToast(page, 'The search could not be opened. Please try again.')

  await page.unroute(chunks)
  await tryAgain.click()
  await expect(page.getByRole('button', { name: 'Week' })).toHaveAttribute('aria-pressed', 'true')
  await expect(section.getByRole('alert')).toBeHidden()
  await page.getByRole('link', { name: 'Search events' }).click()
  await expect(page.getByRole('combobox', { name: 'Search events' })).toBeVisible()
})

for (const [chunk, path] of [
  ['index', '/'],
  ['lazy-sections', '/calendar'],
] as const) {
  test(`${path} says so when I press a button and its ${chunk} fails to load, until a reload loads it`, async ({
    page,
    consoleMessages,
  }) => {
    consoleMessages.allow(/ERR_FAILED|A (section of the page|route) could not be loaded/)
    await page.clock.install()
    const { failed, restore } = await failChunk(page, chunk)
    await page.goto(path)
    await failed
    const week = page.getByRole('button', { name: 'Week' })
    const message = page.getByText('The page could not be loaded completely.')
    // Once is enough where the message is the same.
    for (let attempt = path === '/' ? 0 : 1; attempt < 2; attempt += 1) {
      await week.click()
      await expect(message).toBeVisible()
      await expect(week).not.toHaveAttribute('aria-busy')
      await page.clock.runFor(8000)
      await expect(message).toBeHidden()
    }
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

    restore()
    await week.click()
    await expect(page).toHaveURL(/view=week/)
    await expect(week).toBeFocused()
  })
}

test('what I choose and press before the script has loaded counts', async ({ page }) => {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/{index,lazy-sections}-*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/calendar', { waitUntil: 'commit' })
  await page.getByRole('combobox', { name: 'Event type' }).selectOption('Special')
  await page.getByRole('button', { name: 'Week' }).click()
  release()
  await waitForReact(page)
  await expect(page).toHaveURL(/type=Special/)
  await expect(page).toHaveURL(/view=week/)
})

for (const path of ['/', '/calendar']) {
  test(`while the calendar’s code does not load, ${path} keeps it, also for Back and in the next minutes`, async ({
    page,
    consoleMessages,
  }) => {
    consoleMessages.allow(
      /ERR_FAILED|404|MIME type|A (section of the page|route) could not be loaded/,
    )
    await page.clock.install()
    await page.route('**/assets/lazy-sections-*.js', (route) =>
      route.fulfill({ status: 404, body: '' }),
    )
    for (const follow of [skipToContent, goToToday, goHome, goToCalendar]) {
      await page.goto(path)
      await waitForHydration(page)
      if (follow === skipToContent) {
        await page.clock.runFor(130_000)
        await expectToStay(page)
      }
      await follow(page)
      await expectToStay(page)
      await page.goBack()
      await expectToStay(page)
    }
  })
}

async function skipToContent(page: Page): Promise<void> {
  const link = page.getByRole('link', { name: 'Skip to content' })
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#main$/)
}

async function goToToday(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Today' }).click()
  await expect(page).toHaveURL(/#calendar$/)
}

async function goHome(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: /home$/ }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
}

async function goToCalendar(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'Calendar' }).click()
  await expect(page).toHaveURL(/\/#calendar$/)
}

/** Waits until React has hydrated the page, but not the sections whose code failed to load. */
async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const [first] = document.getElementById('root')?.children ?? []
    return first && Object.keys(first).some((key) => key.startsWith('__reactFiber$'))
  })
}

/** Expects the calendar in the page now, and still when React would have replaced it. */
async function expectToStay(page: Page): Promise<void> {
  for (let look = 0; look < 2; look += 1) {
    if (!/\/(calendar)?([?#].*)?$/.test(new URL(page.url()).href)) return
    await expect(
      page.locator('#calendar').getByRole('link', { name: /A failed chunk/ }),
    ).toBeVisible()
    await page.waitForTimeout(700)
  }
  if (new URL(page.url()).pathname === '/') {
    await expect(page.locator('#subscribe')).toBeAttached()
  }
}

for (const [chunk, when] of [
  ['index', 'fails to load'],
  ['lazy-sections', 'fails to load'],
  ['lazy-sections', 'failed to load'],
] as const) {
  test(`I choose a type although ${chunk} ${when}`, async ({ page, consoleMessages }) => {
    consoleMessages.allow(/ERR_FAILED|ERR_INTERNET_DISCONNECTED|could not be loaded/)
    const { failed, restore } = await failChunk(page, chunk)
    await page.goto('/calendar')
    await failed
    if (when === 'failed to load') restore()
    const select = page.getByRole('combobox', { name: 'Event type' })
    const chip = page.locator('#calendar').getByRole('link', { name: /A failed chunk/ })
    await expect(chip).toBeVisible()
    await select.focus()
    if (chunk === 'index') {
      // A choice that cannot be loaded is undone with a message.
      await page.context().setOffline(true)
      await page.keyboard.press('End')
      await expect(page.getByText('The page could not be loaded completely.')).toBeVisible()
      await expect(select).toHaveValue('')
      await expect(select).toBeFocused()
      await page.context().setOffline(false)
    }
    await page.keyboard.press('End')
    await expect(page).toHaveURL(/\?type=Special$/)
    await expect(select).toHaveValue('Special')
    await expect(select).toBeFocused()
    await expect(chip).toBeHidden()

    await page.keyboard.press('Home')
    await expect(page).toHaveURL(/\/calendar$/)
    await expect(chip).toBeVisible()
    await expect(select).toHaveValue('')
  })
}

test.describe('the newsletter section, whose code is loaded when I scroll near', () => {
  const script = /\/assets\/newsletter-[^/]*\.js$/
  const copy = (page: Page) =>
    page.locator('#subscribe').getByRole('button', { name: 'Copy the link' })
  const copied = (page: Page) => page.locator('#subscribe').getByText('Link copied')

  test.beforeEach(async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.setViewportSize({ width: 390, height: 844 })
  })

  test('is not loaded before, and a tap before it has loaded acts when it has', async ({
    page,
  }) => {
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    let requests = 0
    await page.route(script, async (route) => {
      requests += 1
      await released
      await route.continue()
    })
    await open(page, '/')
    const section = await page.locator('#subscribe').evaluateHandle((element) => element)
    expect(requests).toBe(0)
    await page.getByRole('link', { name: 'Next month' }).first().click()
    await expect(page).toHaveURL(/month=/)
    await copy(page).click()
    await expect(copy(page)).toHaveAttribute('aria-busy', 'true')
    expect(requests).toBe(1)
    release()
    await expect(copied(page)).toBeVisible()
    await expect(page.locator('#subscribe').getByRole('button')).toBeFocused()
    expect(await section.evaluate((element) => element.isConnected)).toBe(true)

    // A navigation loads it with the rest of the home page.
    await open(page, '/calendar')
    await page.getByRole('banner').getByRole('link', { name: /home$/ }).click()
    await copy(page).click()
    await expect(copied(page)).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/calendar$/)
    await page.goForward()
    await copy(page).click()
    await expect(copied(page)).toBeVisible()
  })

  test('is reloaded with the page if it failed to load and I press its button', async ({
    page,
    consoleMessages,
  }) => {
    consoleMessages.allow(/ERR_FAILED|A section of the page could not be loaded/)
    await page.route(script, (route) => route.abort(), { times: 1 })
    await open(page, '/')
    await copy(page).scrollIntoViewIfNeeded()
    await expect(page.locator('html')).toHaveAttribute('data-failed')
    await copy(page).click()
    await expect(copied(page)).toBeVisible()
  })

  test('does not hold up the calendar offline', async ({ page }) => {
    await open(page, '/')
    await page.context().setOffline(true)
    for (let visit = 0; visit < 2; visit += 1) {
      await page.getByRole('link', { name: 'Previous month' }).click()
      await expect(page).toHaveURL(/month=/)
      await page.getByRole('link', { name: 'Next month' }).first().click()
      await expect(page).not.toHaveURL(/month=/)
      await copy(page).scrollIntoViewIfNeeded()
    }
    await expect(page.locator('#subscribe').getByRole('link').first()).toBeVisible()
    await page.context().setOffline(false)
    await copy(page).click()
    await expect(copied(page)).toBeVisible()
  })
})

test('offline, `/` says that the search could not be opened; it does not open later', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_INTERNET_DISCONNECTED/)
  await open(page, '/calendar')
  await page.context().setOffline(true)
  const message = page.getByRole('alert').filter({ hasText: 'The search could not be opened.' })
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await page.keyboard.press('/')
    await expect(message).toBeVisible()
    await message.getByRole('button', { name: 'Dismiss' }).click()
    await expect(message).toBeHidden()
  }
  await page.context().setOffline(false)
  await page.waitForTimeout(1000)
  await expect(page).toHaveURL(/\/calendar$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('/')
  const field = page.getByRole('combobox', { name: 'Search events' })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('')
})

/** Links that open a menu: the only one of its name on the page, and the second one, in a dialog. */
const menuLinks: [name: string, chunk: string, where: string, pathOf: (event: Event) => string][] =
  [
    ['Subscribe to this calendar', 'subscribe-menu', 'the home page', () => '/'],
    ['Add to Calendar', 'menu', 'the home page’s dialog', ({ id }) => `/?event=${id}`],
  ]
for (const [name, chunk, where, pathOf] of menuLinks) {
  test(`${name} of ${where} says that ${chunk} failed to load, and opens its menu when I try again`, async ({
    page,
    consoleMessages,
  }) => {
    consoleMessages.allow(/ERR_FAILED/)
    const path = pathOf(await sharedEvent(page))
    const { restore } = await failChunk(page, chunk)
    await open(page, path)
    const scope = path.includes('?event=') ? page.getByRole('dialog') : page.locator('#root')
    const opener = scope.getByRole('link', { name })
    const menu = scope.getByRole('group', { name: /^(Add|Subscribe) to / })
    const message = scope.getByRole('alert').filter({ hasText: 'The menu could not be opened.' })
    // The second attempt loads the page again, and fails once more.
    await opener.click()
    await expect(message).toBeVisible()
    await expectAccessible(page)
    await Promise.all([page.waitForEvent('load'), opener.click()])
    await expect(message).toBeVisible()
    await expect(opener).toBeFocused()
    await expect(page).toHaveURL(path)

    restore()
    await opener.press('Enter')
    await expect(menu).toBeVisible()
    await expect(menu.getByRole('link').first()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
  })
}

test('Add to Calendar downloads the event if the code of its page fails to load', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_FAILED|The application could not start/)
  const { path } = await sharedEvent(page)
  for (const chunk of ['index', 'event-route']) {
    const { failed, restore } = await failChunk(page, chunk)
    await page.goto(path)
    await failed
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Add to Calendar' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/\.ics$/)
    }
    restore()
  }
})

test('a link to a week shows its month until the week is there, without a jump', async ({
  page,
}) => {
  // The heading, whether there are events to see, and the height, whenever one of them changes.
  await page.addInitScript(() => {
    const states: string[] = []
    Object.assign(window, { states })
    const look = () => {
      const card = document.querySelector<HTMLElement>('#calendar [aria-busy]')
      const title = card?.querySelector('h2')
      if (card && title) {
        const content = card.querySelector('.rbc-time-view')
          ? 'week'
          : card.querySelector('table')
            ? 'month'
            : 'none'
        const state = `${title.textContent} ${content} ${String(card.offsetHeight)}`
        if (states.at(-1) !== state) states.push(state)
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await slowDownNetwork(page)
  await page.goto('/calendar?view=week&day=2030-12-09')
  await expect(page.getByRole('heading', { name: 'December 8 – 14, 2030' })).toBeVisible()
  await waitForReact(page)
  const states = await page.evaluate(() => (window as unknown as { states: string[] }).states)
  expect(states).toHaveLength(2)
  const [first = '', second = ''] = states
  expect(first).toMatch(/^December 2030 month /)
  expect(second).toMatch(/^December 8 – 14, 2030 week /)
  expect(first.split(' ').at(-1)).toBe(second.split(' ').at(-1))
})

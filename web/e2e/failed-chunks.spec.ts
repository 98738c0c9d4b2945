import type { Page } from '@playwright/test'
import { addWebinar } from './support/event-data.ts'
import { slowDownNetwork } from './support/measure.ts'
import { eventsApi, expectAccessible, open, waitForReact } from './support/page.ts'
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

test('a route that fails to load leaves the page as it is, and can be tried again', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_FAILED|A route could not be loaded/)
  await open(page, '/calendar')
  await page.route('**/assets/event-route-*.js', (route) => route.abort())
  await page.route(eventUrl, (route) => route.abort())
  await openEvent(page)
  await expectToast(page, 'The page could not be opened. Please try again.')
  await expect(page).toHaveURL(/\/calendar$/)
  await expect(page.getByRole('heading', { name: 'Events Calendar' })).toBeVisible()

  await page.unroute('**/assets/event-route-*.js')
  await page.unroute(eventUrl)
  await openEvent(page)
  await expect(page).toHaveURL(eventUrl)
  await expect(page.getByRole('heading', { level: 1, name: 'A failed chunk' })).toBeVisible()
})

test('a route of a newer release is opened with a page load', async ({ page, consoleMessages }) => {
  consoleMessages.allow(/404|MIME type|A route could not be loaded/)
  await open(page, '/calendar')
  const older = { status: 404, contentType: 'text/html', body: '' }
  await page.route('**/assets/event-route-*.js', (route) => route.fulfill(older), { times: 1 })
  await openEvent(page)
  await expect(page).toHaveURL(eventUrl)
  await expect(page.getByRole('heading', { level: 1, name: 'A failed chunk' })).toBeVisible()
})

test('an event whose dialog fails to load leaves the calendar as it is', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_FAILED/)
  const [event] = (await (await page.request.get('/api/events')).json()) as { id: number }[]
  await page.route('**/assets/page-event-dialog-*.js', (route) => route.abort())
  await open(page, `/calendar?event=${String(event?.id)}`)
  await expectToast(page, 'The event could not be opened. Please try again.')
  await expect(page.getByRole('heading', { name: 'Events Calendar' })).toBeVisible()
})

test('the month stays when the week fails to load, and I press Try Again as often as I like', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_FAILED|503/)
  const section = page.locator('section#calendar')
  const tryAgain = section.getByRole('button', { name: 'Try Again' })
  const chip = section.getByRole('link', { name: /A failed chunk/ })
  await page.route('**/assets/time-grid-*.js', (route) => route.abort())
  // The second URL has a hash, to which a navigation would only scroll.
  for (const path of ['/calendar', '/#calendar']) {
    await open(page, path)
    const month = (await section.getByRole('table').getAttribute('aria-labelledby')) ?? ''
    const heading = await page.locator(`[id="${month}"]`).textContent()
    await page.getByRole('button', { name: 'Week' }).click()
    await expect(section.getByRole('alert')).toContainText('Unable to load the week')
    await tryAgain.focus()
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(tryAgain).toBeFocused()
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
      await waitForReact(page)
      await expect(section.getByRole('table', { name: heading ?? '' })).toBeVisible()
      await expect(chip).toBeVisible()
      await expect(page.getByRole('button', { name: 'Month' })).toHaveAttribute(
        'aria-pressed',
        'true',
      )
    }
    await expect(tryAgain).toBeFocused()
    await expectAccessible(page)
  }

  // Without a page load, the button is focused again until an attempt succeeds.
  await page.unroute('**/assets/time-grid-*.js')
  await page.route(eventsApi, (route) => route.fulfill({ status: 503, body: '{}' }))
  await open(page, '/calendar')
  for (let month = 0; month < 3; month += 1) {
    await page.getByRole('link', { name: 'Next month' }).first().click()
  }
  await tryAgain.click()
  await expect(tryAgain).toBeFocused()
  await page.unroute(eventsApi)
  await tryAgain.click()
  await expect(page.getByText('No events scheduled this month')).toBeVisible()
  await expect(section).toBeFocused()
})

// Browsers do not request a failed chunk again, so the second attempt is a page load.
test('what failed to load works when I try again', async ({ page, consoleMessages }) => {
  consoleMessages.allow(/ERR_FAILED/)
  const chunks = '**/assets/{search-dialog,time-grid}-*.js'
  await page.route(chunks, (route) => route.abort())
  await open(page, '/calendar')
  await page.getByRole('button', { name: 'Week' }).click()
  const problem = page.getByRole('alert').filter({ hasText: 'Unable to load the week' })
  await expect(problem).toBeVisible()
  await page.getByRole('link', { name: 'Search events' }).click()
  await expectToast(page, 'The search could not be opened. Please try again.')

  await page.unroute(chunks)
  await problem.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('button', { name: 'Week' })).toHaveAttribute('aria-pressed', 'true')
  await expect(problem).toBeHidden()
  await page.getByRole('link', { name: 'Search events' }).click()
  await expect(page.getByRole('combobox', { name: 'Search events' })).toBeVisible()
})

for (const chunk of ['index', 'lazy-sections']) {
  test(`a page whose ${chunk} failed to load is reloaded when I press a button, which then acts`, async ({
    page,
    consoleMessages,
  }) => {
    consoleMessages.allow(/ERR_FAILED|A (section of the page|route) could not be loaded/)
    const { failed, restore } = await failChunk(page, chunk)
    await page.goto('/calendar')
    await failed
    restore()
    await page.getByRole('button', { name: 'Week' }).click()
    await expect(page).toHaveURL(/view=week/)
    await expect(page.getByRole('button', { name: 'Week' })).toBeFocused()
  })

  for (const path of ['/', '/calendar']) {
    test(`${path} says so when I press a button and its ${chunk} never loads`, async ({
      page,
      consoleMessages,
    }) => {
      consoleMessages.allow(/ERR_FAILED|A (section of the page|route) could not be loaded/)
      await page.route(`**/assets/${chunk}-*.js`, (route) => route.abort())
      await page.goto(path)
      // Once is enough where the message is the same: it takes seconds to disappear.
      for (let attempt = path === '/' ? 0 : 1; attempt < 2; attempt += 1) {
        await page.getByRole('button', { name: 'Week' }).click()
        await expect(page.getByText('The page could not be loaded completely.')).toBeVisible()
        await expect(page.getByRole('button', { name: 'Week' })).not.toHaveAttribute('aria-busy')
        await expect(page.getByText('The page could not be loaded completely.')).toBeHidden()
      }
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    })
  }
}

test('a filter works although the calendar’s code failed to load', async ({
  page,
  adminApi,
  consoleMessages,
}) => {
  // The second message if the filter is chosen before the page knows that the code failed to load.
  consoleMessages.allow(/ERR_FAILED|A (section of the page|route) could not be loaded/)
  await addWebinar(adminApi, 'Not a special one')
  await page.route('**/assets/lazy-sections-*.js', (route) => route.abort())
  await page.goto('/calendar')
  const chip = page.getByRole('link', { name: /Not a special one/ })
  await expect(chip).toBeVisible()
  await page.getByRole('combobox', { name: 'Event type' }).selectOption('Special')
  await expect(page).toHaveURL(/type=Special/)
  await expect(chip).toBeHidden()
})

/** Choices on the calendar, by the parameters in the URL that they set. */
const choices = {
  'type=Special': (page: Page) =>
    page.getByRole('combobox', { name: 'Event type' }).selectOption('Special'),
  'view=week': (page: Page) => page.getByRole('button', { name: 'Week' }).click(),
}
for (const parameters of [
  ['type=Special'],
  ['view=week'],
  ['type=Special', 'view=week'],
] as const) {
  test(`I choose ${parameters.join(' and ')} before the script has loaded`, async ({ page }) => {
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/assets/{index,lazy-sections}-*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto('/calendar', { waitUntil: 'commit' })
    for (const parameter of parameters) await choices[parameter](page)
    release()
    await waitForReact(page)
    for (const parameter of parameters) await expect(page).toHaveURL(new RegExp(parameter))
  })
}

test.describe('while the calendar’s code does not load', () => {
  const warnings = /ERR_FAILED|404|MIME type|A (section of the page|route) could not be loaded/
  const script = '**/assets/lazy-sections-*.js'
  const chip = (page: Page) =>
    page.locator('#calendar').getByRole('link', { name: /A failed chunk/ })

  const actions: Record<string, (page: Page) => Promise<void>> = {
    'skip to the content': async (page) => {
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/#main$/)
    },
    'go to today': async (page) => {
      await page.getByRole('link', { name: 'Today' }).click()
      await expect(page).toHaveURL(/#calendar$/)
    },
    'go home': async (page) => {
      await page.getByRole('banner').getByRole('link', { name: /home$/ }).click()
      await expect(page).toHaveURL(/:\d+\/$/)
    },
    'follow a link to the calendar': async (page) => {
      await page.getByRole('banner').getByRole('link', { name: 'Calendar' }).click()
      await expect(page).toHaveURL(/\/#calendar$/)
    },
  }
  for (const [name, act] of Object.entries(actions)) {
    test(`it stays when I ${name}, and Back too`, async ({ page, consoleMessages }) => {
      consoleMessages.allow(warnings)
      await page.route(script, (route) => route.fulfill({ status: 404, body: '' }))
      for (const path of ['/', '/calendar']) {
        await page.goto(path)
        await waitForHydration(page)
        await act(page)
        await expectToStay(page)
        await page.goBack()
        await expectToStay(page)
      }
    })
  }

  /** Waits until React has hydrated the page, but not the sections whose code failed to load. */
  async function waitForHydration(page: Page) {
    await page.waitForFunction(() => {
      const [first] = document.getElementById('root')?.children ?? []
      return first && Object.keys(first).some((key) => key.startsWith('__reactFiber$'))
    })
  }

  /** Expects the calendar in the page now, and still when React would have replaced it. */
  async function expectToStay(page: Page) {
    for (let look = 0; look < 2; look += 1) {
      if (!/\/(calendar)?([?#].*)?$/.test(new URL(page.url()).href)) return
      await expect(chip(page)).toBeVisible()
      await page.waitForTimeout(700)
    }
    if (new URL(page.url()).pathname === '/') {
      await expect(page.locator('#subscribe')).toBeAttached()
    }
  }

  test('I come from an event to the home page with its calendar', async ({
    page,
    consoleMessages,
  }) => {
    consoleMessages.allow(warnings)
    await page.route(script, (route) => route.abort())
    const [event] = (await (await page.request.get('/api/events')).json()) as { path: string }[]
    await page.goto(event?.path ?? '')
    await page.getByRole('banner').getByRole('link', { name: /home$/ }).click()
    await expect(page).toHaveURL(/:\d+\/$/)
    await expectToStay(page)
  })

  test('the next minute leaves it as it is', async ({ page, consoleMessages }) => {
    consoleMessages.allow(warnings)
    await page.clock.install()
    await page.route(script, (route) => route.abort())
    await page.goto('/')
    await waitForHydration(page)
    await page.clock.runFor(130_000)
    await expectToStay(page)
  })

  test('the week works after one failed request', async ({ page, consoleMessages }) => {
    consoleMessages.allow(warnings)
    await page.route(script, (route) => route.abort(), { times: 1 })
    await page.goto('/calendar')
    await waitForHydration(page)
    await page.getByRole('link', { name: 'Today' }).click()
    await page.getByRole('link', { name: 'Next month' }).first().click()
    await expect(page).toHaveURL(/month=/)
    await page.getByRole('button', { name: 'Week' }).click()
    await expect(page).toHaveURL(/view=week/)
  })
})

for (const chunk of ['index', 'lazy-sections']) {
  for (const isFailing of [true, false]) {
    test(`I choose a type although ${chunk} ${isFailing ? 'fails' : 'failed'} to load`, async ({
      page,
      consoleMessages,
    }) => {
      consoleMessages.allow(/ERR_FAILED|could not be loaded/)
      const { failed, restore } = await failChunk(page, chunk)
      await page.goto('/calendar')
      await failed
      if (!isFailing) restore()
      const select = page.getByRole('combobox', { name: 'Event type' })
      const chip = page.locator('#calendar').getByRole('link', { name: /A failed chunk/ })
      await expect(chip).toBeVisible()
      await select.focus()
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
    await page.getByRole('link', { name: 'Next month' }).click()
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

test('a choice that cannot be loaded is undone with a message', async ({
  page,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/)
  await page.route('**/assets/index-*.js', (route) => route.abort())
  await page.goto('/calendar')
  await page.context().setOffline(true)
  const select = page.getByRole('combobox', { name: 'Event type' })
  await select.focus()
  await page.keyboard.press('End')
  await expect(page.getByText('The page could not be loaded completely.')).toBeVisible()
  await expect(select).toHaveValue('')
  await expect(select).toBeFocused()
})

for (const press of ['the link', '/']) {
  test(`offline, ${press} says that the search could not be opened; it does not open later`, async ({
    page,
    consoleMessages,
  }) => {
    consoleMessages.allow(/ERR_INTERNET_DISCONNECTED/)
    await open(page, '/calendar')
    await page.context().setOffline(true)
    const message = page.getByRole('alert').filter({ hasText: 'The search could not be opened.' })
    for (let attempt = 0; attempt < 2; attempt += 1) {
      if (press === '/') await page.keyboard.press('/')
      else await page.getByRole('link', { name: 'Search events' }).click()
      await expect(message).toBeVisible()
      await page.mouse.move(0, 0)
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
}

test('offline, a menu says that it could not be opened', async ({ page, consoleMessages }) => {
  consoleMessages.allow(/ERR_INTERNET_DISCONNECTED/)
  await open(page, '/calendar')
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Subscribe to this calendar' }).click()
  await expectToast(page, 'The menu could not be opened. Please try again.')
})

/** Where a link opens a menu: its name, the chunk that fails to load, and the page by the path of the event. */
const menuLinks: [name: string, chunk: string, where: string, pathOf: (event: Event) => string][] =
  [
    ['Subscribe to this calendar', 'subscribe-menu', 'the home page', () => '/'],
    ['Add to Calendar', 'menu', 'the next event', () => '/'],
    ['Subscribe to this calendar', 'menu', 'the calendar', () => '/calendar'],
    ['Subscribe to this series', 'menu', 'a series', () => '/series/failed-chunks'],
    ['Add to Calendar', 'menu', 'an event', ({ path }) => path],
    ['Add to Calendar', 'menu', 'the calendar’s dialog', ({ id }) => `/calendar?event=${id}`],
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

for (const chunk of ['index', 'event-route']) {
  test(`Add to Calendar downloads the event if ${chunk} fails to load`, async ({
    page,
    consoleMessages,
  }) => {
    consoleMessages.allow(/ERR_FAILED|The application could not start/)
    const { path } = await sharedEvent(page)
    const { failed } = await failChunk(page, chunk)
    await page.goto(path)
    await failed
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Add to Calendar' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/\.ics$/)
    }
  })
}

test('pressing Week leaves the month until the week is there', async ({ page }) => {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/time-grid-*.js', async (route) => {
    await released
    await route.continue()
  })
  await open(page, '/calendar')
  const section = page.locator('section#calendar')
  const week = page.getByRole('button', { name: 'Week' })
  await week.click()
  await expect(page).toHaveURL(/view=week/)
  await expect(week).toHaveAttribute('aria-busy', 'true')
  await expect(page.getByRole('button', { name: 'Month' })).toHaveAttribute('aria-pressed', 'true')
  await expect(section.getByRole('table')).toBeVisible()
  release()
  await expect(week).toHaveAttribute('aria-pressed', 'true')
  await expect(week).not.toHaveAttribute('aria-busy')
  await expect(section.getByRole('table')).toHaveCount(0)
  await expect(section.getByRole('heading').first()).toHaveText(/–/)
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

import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from '@playwright/test'
import { addInPersonEvent } from './support/event-data.ts'
import { buildForDevelopment, useDevelopmentBuild } from './support/development-build.ts'
import { waitForReact, waitUntilSettled } from './support/page.ts'
import { expect, test } from './support/test.ts'

interface Setting {
  width: number
  zone: string
  scheme: 'light' | 'dark'
}

const widths = [320, 390, 768, 1440]
const zones = [
  'America/New_York',
  'America/Los_Angeles',
  'America/Phoenix',
  'Europe/London',
  'Asia/Kathmandu',
  'Pacific/Auckland',
]
const schemes = ['light', 'dark'] as const

const isFullMatrix = process.env.LECTERN_MATRIX === 'full'

/** Every pair of two values once, or with `LECTERN_MATRIX=full` every combination. */
function settingsOf(index: number): Setting[] {
  if (isFullMatrix) {
    return widths.flatMap((width) =>
      zones.flatMap((zone) => schemes.map((scheme) => ({ width, zone, scheme }))),
    )
  }
  return widths.map((width, row) => ({
    width,
    zone: zones[(row + index) % zones.length] ?? '',
    scheme: schemes[(row + index + (row >> 1)) % 2] ?? 'light',
  }))
}

/**
 * Records the elements that the server sent, when React starts. The server shows the day and the month in the default
 * zone, where they may be others than the visitor's.
 */
async function recordServedElements(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const served: Element[] = []
    Object.assign(window, { served })
    const record = () => {
      const [own = '', site = ''] = [undefined, 'America/New_York'].map((timeZone) =>
        new Date().toLocaleDateString('sv', { timeZone }),
      )
      const ofDay = ':is([class^=month-table__now], [class^=month-table__earl])'
      const ofMonth = '.calendar-card__root'
      const changing = own.slice(0, 7) === site.slice(0, 7) ? ofDay : ofMonth
      const unchanged = own === site ? '*' : `:not(${changing}, ${changing} *)`
      served.push(...document.querySelectorAll(`#root ${unchanged}`))
    }
    document.addEventListener('lectern:ready', record, { once: true })
  })
}

/** The served elements that are not in the document any more. */
async function replacedElements(page: Page) {
  return page.evaluate(() => {
    const { served } = window as unknown as { served: Element[] }
    const replaced = served.filter((element) => !element.isConnected)
    return { count: served.length, replaced: replaced.map(({ outerHTML }) => outerHTML) }
  })
}

test.describe('hydration', () => {
  // In one worker, as each would build the page.
  test.describe.configure({ mode: 'default' })

  let assets = ''
  test.beforeAll(() => {
    test.setTimeout(180_000)
    assets = buildForDevelopment()
  })
  test.afterAll(() => {
    rmSync(dirname(assets), { recursive: true, force: true })
  })

  // A mismatch is a problem in the console, which fails the test.
  const pages = [
    '/',
    '/calendar',
    '/embed',
    '/embed?theme=dark&view=list',
    '/search?q=pillar',
    '/series/the-five-pillars',
    '/nothing',
    'events',
  ]
  for (const [index, path] of pages.entries()) {
    test(`keeps the markup of the server: ${path}`, async ({
      browser,
      lectern,
      adminApi,
      consoleMessages,
    }) => {
      test.setTimeout(isFullMatrix ? 3_600_000 : 600_000)
      consoleMessages.allow(/404/)
      const problems: string[] = []
      let all = [path]
      if (path === 'events') {
        await addInPersonEvent(adminApi, 'Walk & dinner, with “quotes” <and> more')
        const events = (await (await adminApi.get('/api/events')).json()) as {
          path: string
          type: string
        }[]
        // The past, the next and the last of each type.
        const types = new Map(events.map((event) => [event.type, event.path]))
        all = [events[0]?.path ?? '', ...types.values()]
      }
      // With pairs of settings, all but the main pages have two of the four.
      const isSampled = !['/', '/calendar'].includes(path) && !isFullMatrix
      for (const [row, { width, zone, scheme }] of settingsOf(index).entries()) {
        const paths = all.filter((_, at) => !isSampled || (index + at) % 2 === row % 2)
        if (paths.length === 0) continue
        const context = await browser.newContext({
          baseURL: lectern.url,
          viewport: { width, height: 900 },
          timezoneId: zone,
          colorScheme: scheme,
          locale: 'de-DE',
        })
        const page = await context.newPage()
        page.on('console', (message) => {
          const isProblem = ['error', 'warning'].includes(message.type())
          // The library of the grid is compiled for older versions of React.
          const isKnown = /404|outdated JSX transform/.test(message.text())
          if (isProblem && !isKnown) problems.push(message.text())
        })
        page.on('pageerror', (error) => problems.push(error.message))
        await useDevelopmentBuild(page, assets)
        await recordServedElements(page)
        for (const path of paths) {
          await page.goto(path, { waitUntil: 'networkidle' })
          await waitForReact(page)
          const { count, replaced } = await replacedElements(page)
          expect(count, path).toBeGreaterThan(5)
          expect(replaced, `${path} at ${String(width)} px in ${zone}`).toEqual([])
        }
        await context.close()
      }
      expect(problems).toEqual([])
    })
  }
})

/** Delays the main script until the returned function is called. */
async function delayScript(page: Page): Promise<() => void> {
  let release: (() => void) | undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/index-*.js', async (route) => {
    await released
    await route.continue()
  })
  return () => release?.()
}

test('keyboard focus, selection and scroll position stay when the script has loaded', async ({
  page,
}) => {
  for (const keys of [['Tab'], ['Tab', 'Enter'], ['Tab', 'Tab', 'Tab']]) {
    const release = await delayScript(page)
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.getByRole('contentinfo')).toBeVisible()
    for (const key of keys) await page.keyboard.press(key)
    // After a link to a fragment, the browser scrolls there once more when the page is complete.
    const top = keys.includes('Enter') ? 0 : 120
    const before = await page.evaluate((top) => {
      window.scrollTo({ top, behavior: 'instant' })
      const title = document.querySelector('h1')
      if (title) getSelection()?.selectAllChildren(title)
      Object.assign(window, { focused: document.activeElement })
      return { text: getSelection()?.toString(), isBody: document.activeElement === document.body }
    }, top)
    expect(before.isBody).toBe(false)
    release()
    await waitForReact(page)
    await expect(page.getByRole('table').or(page.getByText('No events')).first()).toBeVisible()
    const after = await page.evaluate(() => ({
      text: getSelection()?.toString(),
      isSame: document.activeElement === (window as unknown as { focused: Element }).focused,
      top: Math.round(window.scrollY),
    }))
    expect(after).toEqual({ text: before.text, isSame: true, top })
    await page.unroute('**/assets/index-*.js')
  }
})

test('a tap before the script has loaded acts when it has', async ({ page }) => {
  const events = (await (await page.request.get('/api/events')).json()) as { path: string }[]
  const release = await delayScript(page)
  await page.goto(events.at(-1)?.path ?? '', { waitUntil: 'commit' })
  const share = page.getByRole('button', { name: 'Share' })
  await share.click()
  await expect(share).toHaveAttribute('aria-busy', 'true')
  release()
  await expect(page.getByText(/^(Link copied|Copy this link)/)).toBeVisible()
  await expect(share).not.toHaveAttribute('aria-busy')
})

test('both clicks on the link to the next month count before the script has loaded', async ({
  page,
}) => {
  await delayScript(page)
  await page.goto('/calendar', { waitUntil: 'commit' })
  const next = page.getByRole('link', { name: 'Next month' })
  await next.click()
  await expect(page).toHaveURL(/month=/)
  const first = page.url()
  await next.hover()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await expect(page).not.toHaveURL(first)
})

test('no frame of a page is blank while it loads', async ({ page, consoleMessages }) => {
  consoleMessages.allow(/404/)
  const events = (await (await page.request.get('/api/events')).json()) as { path: string }[]
  const browser = await page.context().newCDPSession(page)
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(() => {
    const frames: { text: number; top: number }[] = []
    Object.assign(window, { frames })
    const record = () => {
      const main = document.querySelector<HTMLElement>('#main')
      const footer = document.querySelector<HTMLElement>('footer')
      // Only complete documents: the browser also paints incomplete ones.
      if (document.readyState !== 'loading')
        frames.push({
          text: (main?.innerText.length ?? 0) + (footer?.innerText.length ?? 0),
          top: document.querySelector('h1')?.getBoundingClientRect().top ?? -1,
        })
      requestAnimationFrame(record)
    }
    requestAnimationFrame(record)
  })
  for (const path of [
    '/',
    '/calendar',
    events.at(-1)?.path ?? '',
    '/series/self-directed',
    '/nothing',
  ]) {
    await page.goto(path)
    await waitUntilSettled(page)
    const frames = await page.evaluate(
      () => (window as unknown as { frames: { text: number; top: number }[] }).frames,
    )
    const [first] = frames
    expect(frames.length, path).toBeGreaterThan(3)
    expect(first?.text, path).toBeGreaterThan(300)
    for (const { text, top } of frames) {
      expect(text, path).toBeGreaterThanOrEqual((first?.text ?? 0) * 0.9)
      expect(Math.abs(top - (first?.top ?? 0)), path).toBeLessThan(2)
    }
  }
})

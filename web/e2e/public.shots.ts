import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { startLectern } from './support/lectern.ts'
import { eventsApi, open, setTextSize } from './support/page.ts'
import { test } from './support/test.ts'

const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))

/** Goes to a month after the last event. */
async function goToEmptyMonth(page: Page): Promise<void> {
  for (let month = 0; month < 14; month += 1) {
    await page.getByRole('link', { name: 'Next month' }).first().click()
  }
}

interface State {
  name: string
  path: string
  act?: (page: Page) => Promise<void>
  /** Captures the window instead of the page, for an open dialog. */
  isWindow?: boolean
}

const states: State[] = [
  { name: 'home', path: '/' },
  { name: 'calendar', path: '/calendar' },
  { name: 'empty-month', path: '/calendar', act: goToEmptyMonth },
  {
    name: 'event-dialog',
    path: '/',
    act: async (page) => {
      await page.locator('#calendar [aria-haspopup=dialog][data-type]').first().click()
      await page.getByRole('dialog').getByRole('heading').first().waitFor()
    },
    isWindow: true,
  },
  {
    name: 'failed',
    path: '/calendar',
    act: async (page) => {
      await page.route(eventsApi, (route) => route.fulfill({ status: 503, body: '{}' }))
      await goToEmptyMonth(page)
      await page.getByText('Unable to load events').waitFor()
    },
  },
  { name: 'login', path: '/admin/login' },
  { name: 'not-found', path: '/nothing-here' },
]

for (const width of [390, 1440]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const variant = `${width}-${colorScheme}`

    test.describe(variant, () => {
      test.use({ viewport: { width, height: 900 }, colorScheme })

      for (const { name, path, act, isWindow = false } of states) {
        test(name, async ({ page, consoleMessages }) => {
          consoleMessages.allow(/503|404/)
          await page.emulateMedia({ reducedMotion: 'reduce' })
          await open(page, path)
          await act?.(page)
          await page.waitForTimeout(500)
          await page.screenshot({ path: `${folder}${name}-${variant}.png`, fullPage: !isWindow })
        })
      }

      test('no event', async ({ browser }) => {
        const lectern = await startLectern('empty')
        const context = await browser.newContext({
          baseURL: lectern.url,
          viewport: { width, height: 900 },
          colorScheme,
          reducedMotion: 'reduce',
        })
        const page = await context.newPage()
        await open(page, '/')
        await page.waitForTimeout(500)
        await page.screenshot({ path: `${folder}no-event-${variant}.png`, fullPage: true })
        await context.close()
        await lectern.stop()
      })
    })
  }
}

for (const [name, path] of [
  ['home', '/'],
  ['calendar', '/calendar'],
] as const) {
  test(`${name} on paper`, async ({ page }) => {
    await open(page, path)
    // With the default margins.
    const margin = { top: '10mm', right: '10mm', bottom: '10mm', left: '10mm' }
    await page.pdf({ path: `${folder}${name}.pdf`, format: 'A4', margin })
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: 794, height: 1123 })
    await page.screenshot({ path: `${folder}${name}-print.png`, fullPage: true })
  })
  test(`${name} with forced colors`, async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await open(page, path)
    await page.waitForTimeout(500)
    await page.screenshot({ path: `${folder}${name}-forced-colors.png`, fullPage: true })
  })
  test(`${name} with larger text`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 800 })
    await open(page, path)
    await setTextSize(page, '200%')
    await page.screenshot({ path: `${folder}${name}-200.png`, fullPage: true })
  })
}

test('home without scripts', async ({ browser, lectern }) => {
  const context = await browser.newContext({
    baseURL: lectern.url,
    javaScriptEnabled: false,
    viewport: { width: 390, height: 900 },
  })
  const page = await context.newPage()
  await page.goto('/')
  await page.screenshot({ path: `${folder}home-without-scripts.png`, fullPage: true })
  await context.close()
})

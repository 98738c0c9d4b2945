import { largeTextProblems } from './support/large-text.ts'
import { observeLayoutShifts } from './support/measure.ts'
import { cacheFont, open, waitUntilSettled } from './support/page.ts'
import { expect, test, withMotion } from './support/test.ts'

test.use(withMotion)

test('I see what the site is about, the next event, and the company at the foot of the page', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  const card = page.getByRole('region', { name: 'Next Event' })
  await expect(card.getByRole('heading', { level: 3 })).toBeVisible()
  await expect(card.getByText(/^[A-Z][a-z]+ \d{1,2}, \d{4}$/)).toBeVisible()
  await expect(card.getByText(/^\d{1,2}:\d{2} [AP]M [A-Z]+$/).first()).toBeVisible()
  await expect(card.getByRole('list', { name: 'Speakers' })).toBeVisible()

  const footer = page.getByRole('contentinfo')
  for (const name of ['Who We Are', 'Investments', 'Discover', 'Explore More']) {
    await expect(footer.getByRole('navigation', { name })).toBeVisible()
  }
})

test('I can skip the header with the keyboard', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('the title of no speaker is broken within a word at any width', async ({ page }) => {
  await cacheFont(page)
  await open(page, '/')
  for (const width of [320, 335, 390, 769, 820, 900, 1100]) {
    await page.setViewportSize({ width, height: 900 })
    await expect
      .poll(async () => (await page.evaluate(largeTextProblems, '*')).broken, `at ${width} px`)
      .not.toContain('Anesthesiologist')
  }
})

test('the page is painted before its script is loaded', async ({ page }) => {
  await open(page, '/')
  const { script, paint, parsed } = await page.evaluate(() => {
    const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const scripts = performance.getEntriesByType('resource')
    return {
      script: scripts.find(({ name }) => name.includes('/assets/index-'))?.startTime ?? NaN,
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
      parsed: page?.domContentLoadedEventStart ?? NaN,
    }
  })
  // A browser that is too busy to paint within a second loads the script nevertheless.
  expect(script).toBeGreaterThanOrEqual(Math.min(paint, parsed + 1000))
})

test('there is no layout shift while the page starts', async ({ page }) => {
  const layoutShift = await observeLayoutShifts(page)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    // The second visit: on a busy machine the font of the first one can be late. slow-phone.spec.ts measures that.
    await open(page, '/')
    await open(page, '/')
    await waitUntilSettled(page)
    expect(await layoutShift()).toBeLessThan(0.005)
  }
})

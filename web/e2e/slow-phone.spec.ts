import { measureUpToFiveTimes, observeLayoutShifts, slowDownNetwork } from './support/measure.ts'
import { expect, test, expectToast, withMotion } from './support/test.ts'

const rounds = 3

/** Measurements of one visit, in milliseconds from its start; the layout shift has no unit. */
interface Paint {
  first: number
  largest: number
  shift: number
}

/** The median and the worst value, rounded. */
function medianAndWorst(values: readonly number[]) {
  const sorted = values.map(Math.round).sort((a, b) => a - b)
  return { median: sorted[sorted.length >> 1] ?? NaN, worst: sorted.at(-1) ?? NaN }
}

test.use({
  ...withMotion,
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  trace: 'off',
})

// Prints the numbers of docs/measurements.md, from the dist binary on an idle machine, where 500 ms is
// the limit. The limit below also holds on a busy one, beside other tests.
test('on a slow phone the home page paints at once, without layout shift', async ({ page }) => {
  test.setTimeout(400_000)
  const layoutShift = await observeLayoutShifts(page)
  await page.addInitScript(() => {
    const paint = { largest: 0 }
    Object.assign(window, { paint })
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) paint.largest = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
  const browser = await slowDownNetwork(page)
  // Chromium does other work after it has opened a window.
  await page.waitForTimeout(2500)

  const visit = async (): Promise<Paint> => {
    await page.goto('about:blank')
    await browser.send('Network.clearBrowserCache')
    await page.waitForTimeout(300)
    await browser.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.goto('/', { waitUntil: 'load' })
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    // A processor that is slowed down is busy also while the page is not.
    await browser.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await page.waitForTimeout(1500)
    const paint = await page.evaluate(() => ({
      ...(window as unknown as { paint: { largest: number } }).paint,
      first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    }))
    return { ...paint, shift: await layoutShift() }
  }
  // Warms up the server and the browser.
  await visit()
  const medians = await measureUpToFiveTimes(1500, async () => {
    const paints: Paint[] = []
    for (let round = 0; round < rounds; round += 1) paints.push(await visit())
    const first = medianAndWorst(paints.map((paint) => paint.first))
    const largest = medianAndWorst(paints.map((paint) => paint.largest))
    const shift = Math.max(...paints.map((paint) => paint.shift))
    const format = ({ median, worst }: typeof first) => `${median} ms, at worst ${worst} ms`
    process.stdout.write(
      `First paint ${format(first)}; largest ${format(largest)}; layout shift ${shift}\n`,
    )
    expect(shift).toBeLessThan(0.02)
    return largest.median
  })
  expect(Math.min(...medians), `in ms: ${medians.join(', ')}`).toBeLessThan(1500)
})

test('on a slow phone no tap is lost, however early it is', async ({ page }) => {
  test.setTimeout(240_000)
  const events = (await (await page.request.get('/api/events')).json()) as { path: string }[]
  const browser = await slowDownNetwork(page)
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  for (let delay = 0; delay <= 2500; delay += 500) {
    await browser.send('Network.clearBrowserCache')
    await page.goto(events.at(-1)?.path ?? '', { waitUntil: 'commit' })
    const share = page.getByRole('button', { name: 'Share' })
    await share.scrollIntoViewIfNeeded()
    await page.waitForTimeout(delay)
    const box = await share.boundingBox()
    if (!box) throw new Error('There is no button')
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    await expectToast(page, /^(Link copied|Copy this link)/)
  }
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

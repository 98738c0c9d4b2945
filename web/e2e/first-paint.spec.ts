import { observeLayoutShifts } from './support/measure.ts'
import { expect, test } from './support/test.ts'

const rounds = 9

/** Told by the browser about one visit, in milliseconds from its start; the shift has no unit. */
interface Paint {
  first: number
  largest: number
  shift: number
}

/** What a round of the list is as its middle and its worst value, rounded. */
function middleAndWorst(values: readonly number[]) {
  const sorted = values.map(Math.round).sort((a, b) => a - b)
  return { middle: sorted[sorted.length >> 1] ?? NaN, worst: sorted.at(-1) ?? NaN }
}

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, trace: 'off' })

// The README's numbers come from here, on the release binary and an idle machine, where 500 ms are
// the limit. The bound below holds on a busy one, too.
test(
  'on a slow phone the home page is there at once, and nothing in it jumps',
  { tag: '@speed' },
  async ({ page }) => {
    test.setTimeout(120_000)
    const layoutShift = await observeLayoutShifts(page)
    await page.addInitScript(() => {
      const paint = { largest: 0 }
      Object.assign(window, { paint })
      new PerformanceObserver((list) => {
        for (const { startTime } of list.getEntries()) paint.largest = startTime
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    const browser = await page.context().newCDPSession(page)
    await browser.send('Network.enable')
    await browser.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 1_600_000 / 8,
      uploadThroughput: 750_000 / 8,
    })
    // A window that has just been opened is busy with itself for a while.
    await page.waitForTimeout(2500)

    const paints: Paint[] = []
    for (let round = 0; round <= rounds; round += 1) {
      await page.goto('about:blank')
      await browser.send('Network.clearBrowserCache')
      await browser.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      await page.waitForTimeout(300)
      await page.goto('/', { waitUntil: 'load' })
      await page.waitForTimeout(1500)
      const paint = await page.evaluate(() => ({
        ...(window as unknown as { paint: { largest: number } }).paint,
        first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
      }))
      // The first visit warms up the server and the browser.
      if (round > 0) paints.push({ ...paint, shift: await layoutShift() })
    }

    const first = middleAndWorst(paints.map((paint) => paint.first))
    const largest = middleAndWorst(paints.map((paint) => paint.largest))
    const shift = Math.max(...paints.map((paint) => paint.shift))
    const told = ({ middle, worst }: typeof first) => `${middle} ms, at worst ${worst} ms`
    process.stdout.write(
      `First paint ${told(first)}; largest ${told(largest)}; layout shift ${shift}\n`,
    )
    expect(shift).toBeLessThan(0.02)
    expect(largest.middle).toBeLessThan(1500)
  },
)

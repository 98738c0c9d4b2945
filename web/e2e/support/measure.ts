import type { CDPSession, Page } from '@playwright/test'

/** Limits the network to that of a slow phone; the session can slow down the processor as well. */
export async function slowDownNetwork(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  })
  return session
}

type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean }

/**
 * Observes unexpected layout shifts in the pages opened from here on. The result reads the sum for the
 * current page, as in Cumulative Layout Shift.
 */
export async function observeLayoutShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const layout = { shift: 0 }
    Object.assign(window, { layout })
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries() as LayoutShift[]) {
        if (!hadRecentInput) layout.shift += value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () =>
    page.evaluate(() => (window as unknown as { layout: { shift: number } }).layout.shift)
}

/** Measures up to five times, until a result is below the limit: another process can slow one down. */
export async function measureUpToFiveTimes(
  limit: number,
  measure: () => Promise<number>,
): Promise<number[]> {
  const times: number[] = []
  while (times.length < 5 && !times.some((time) => time < limit)) times.push(await measure())
  return times
}

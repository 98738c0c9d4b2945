import type { Page } from '@playwright/test'

/** What the browser tells of a thing that moved. */
type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }

/**
 * Watches what moves by itself in the pages that are opened from here on, and gives back how much it
 * was in the page that stands: 0 where all kept still, about 1 where all moved by the window's height.
 */
export async function watchLayoutShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const layout = { shift: 0 }
    Object.assign(window, { layout })
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries() as Shift[]) {
        if (!hadRecentInput) layout.shift += value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () =>
    page.evaluate(() => (window as unknown as { layout: { shift: number } }).layout.shift)
}

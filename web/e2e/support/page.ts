import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Waits until the components stand in the place of what the server wrote. */
export async function untilTakenOver(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const [first] = document.getElementById('root')?.children ?? []
    return first && Object.keys(first).some((key) => key.startsWith('__reactFiber$'))
  })
}

/** Opens an address and waits until its screen stands, text font included. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilTakenOver(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
}

/** Waits until whatever moves or fades has come to rest, but for what turns for ever. */
export async function comeToRest(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ),
  )
}

/** Expects the page as it stands to break no rule of axe. */
export async function expectAccessible(page: Page): Promise<void> {
  // Colours that are on their way are nobody's.
  await comeToRest(page)
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

/** Expects nothing to be wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
  const width = page.viewportSize()?.width ?? 0
  expect(overflow, `sideways scroll of ${page.url()} at ${width} px`).toBeLessThanOrEqual(0)
}

/** Keeps a picture of the page for whoever wants to look, who says where in SCREENSHOTS. */
export async function keepPicture(page: Page, name: string, isWhole = false): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: isWhole })
}

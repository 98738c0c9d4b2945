import { expect, type Page } from '@playwright/test'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import { daysFromToday } from './event-data.ts'

/** The URLs of the list of events, with or without a filter. */
export const eventsApi = /\/api\/events(\?|$)/

/** Waits until React has hydrated the page and its lazy sections. */
export async function waitForReact(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const [first] = document.getElementById('root')?.children ?? []
    const roots = [first, ...document.querySelectorAll('[data-lazy]')]
    return roots.every(
      (root) => root && Object.keys(root).some((key) => key.startsWith('__reactFiber$')),
    )
  })
}

/** Opens a URL and waits for React, the heading and the fonts. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await waitForReact(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
}

/** Has the browser cache the font: its first page may be shown in the system's, whose letters are wider. */
export async function cacheFont(page: Page): Promise<void> {
  await open(page, '/')
}

/** Sets the size of the page's text, such as 200%. */
export async function setTextSize(page: Page, size: string): Promise<void> {
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = size
  }, size)
}

/**
 * Expects a tab that a link has opened to show a heading. Locators are not used: Playwright can see two
 * navigations in the start of such a tab and waits for the first one without end.
 */
export async function expectHeadingOfTab(
  tab: Page,
  selector: string,
  text: string | RegExp = /./,
): Promise<void> {
  await expect(async () => {
    const visible = await tab.evaluate((selector) => {
      const heading = document.querySelector<HTMLElement>(selector)
      return heading?.checkVisibility() ? heading.innerText : ''
    }, selector)
    expect(visible).toMatch(text)
  }).toPass({ timeout: 10_000 })
}

/**
 * Waits until all finite animations have ended; the longest takes 0.7 s. One that a busy browser
 * never starts does not end either.
 */
export async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    const ended = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished)
    const limit = new Promise((resolve) => setTimeout(resolve, 5000))
    return Promise.race([Promise.allSettled(ended), limit])
  })
}

/**
 * Waits until a page no longer changes by itself: it is hydrated, half a second has passed without a
 * request, fonts and animations are done, and the browser is idle and has painted two more frames.
 */
export async function waitUntilSettled(page: Page): Promise<void> {
  await waitForReact(page)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  await waitForAnimations(page)
  await page.evaluate(async () => {
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 }))
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
  })
}

/** The rules whose result depends on the theme. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Expects the page in its current state to pass axe: all rules, or those about colors. */
export async function expectAccessible(page: Page, rules: 'all' | 'colors' = 'all'): Promise<void> {
  await waitForAnimations(page)
  // Once per document: the script is larger than most pages.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(
    async (options) => {
      const { axe } = window as unknown as {
        axe: { run: (options: RunOptions) => Promise<AxeResults> }
      }
      const results = await axe.run(options)
      return results.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
    },
    {
      resultTypes: ['violations'],
      ...(rules === 'colors' && { runOnly: colorRules }),
    } as RunOptions,
  )
  expect(violations).toEqual([])
}

/** The same in the light and in the dark theme, which differ only in colors. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, 'colors')
  await page.emulateMedia({ colorScheme: null })
}

/** The same on a phone and on a desktop, where the page must also fit. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 1440, height: 900 }
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessibleInBothThemes(page)
    await expectNoSidewaysScroll(page)
  }
  await page.setViewportSize(size)
}

/** The same, and on the narrowest phone the page must fit as well. */
export async function expectAccessibleAtEveryWidth(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 1440, height: 900 }
  await expectAccessibleEverywhere(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
  await page.setViewportSize(size)
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

/** In a calendar of this month, shows the month of the date `days` after today. */
export async function showMonthOfDay(page: Page, days: number): Promise<void> {
  if (daysFromToday(days).slice(0, 7) === daysFromToday(0).slice(0, 7)) return
  await page.getByRole('link', { name: 'Next month' }).first().click()
  await expect(page).toHaveURL(/month=/)
}

import type { Page } from '@playwright/test'
import { type LocalServer, startLocalServer } from './support/local-server.ts'
import { expectAccessible, expectHeadingOfTab } from './support/page.ts'
import { expect, test } from './support/test.ts'

/** Starts another site whose page embeds the calendar. */
async function startOtherSite(snippet: string): Promise<LocalServer> {
  const html = `<!doctype html><html lang="en"><title>Our site</title><body><h1>Our site</h1>${snippet}</body></html>`
  return startLocalServer((request, response) => {
    const isPage = request.url === '/'
    response.writeHead(isPage ? 200 : 204, { 'Content-Type': 'text/html' }).end(isPage ? html : '')
  })
}

/** The brightness of the background, at the screenshot's corner, from 0 to 255. */
async function brightnessOf(page: Page, screenshot: Buffer): Promise<number> {
  return page.evaluate(async (data) => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = document.createElement('canvas').getContext('2d')
    canvas?.drawImage(image, 0, 0)
    const [red = 0, green = 0, blue = 0] = canvas?.getImageData(1, 1, 1, 1).data ?? []
    return Math.round((red + green + blue) / 3)
  }, screenshot.toString('base64'))
}

for (const [width, theme] of [
  [320, 'light'],
  [390, 'dark'],
  [1440, 'light'],
] as const) {
  test(`another site shows the calendar at ${width} in ${theme}`, async ({ page, baseURL }) => {
    const other = await startOtherSite(
      `<div data-lectern-embed data-theme="${theme}"></div><script async src="${baseURL ?? ''}/embed.js"></script>`,
    )
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`http://localhost:${other.port}/`)
    const frame = page.frameLocator('iframe')
    const heading = frame.getByRole('heading', { level: 2 })
    const thisMonth = await heading.innerText()
    // On a month's last days, a phone's list may have no event left.
    await frame.getByRole('link', { name: 'Next month' }).first().click()
    await expect(heading).not.toHaveText(thisMonth)
    const opener = frame
      .locator('table')
      .getByRole('link', { name: /\(opens in a new tab\)/ })
      .first()
    await expect(opener).toBeVisible()
    await expect
      .poll(() =>
        page
          .frames()[1]
          ?.evaluate(() =>
            Math.abs(innerHeight - (document.getElementById('root')?.offsetHeight ?? 0)),
          ),
      )
      .toBeLessThanOrEqual(1)
    expect(await frame.locator('html').getAttribute('data-theme')).toBe(theme)

    const [opened] = await Promise.all([page.context().waitForEvent('page'), opener.click()])
    await expectHeadingOfTab(opened, 'h1')
    expect(new URL(opened.url()).pathname).toMatch(/^\/events\/\d+-/)
    await opened.close()
    other.stop()
  })
}

test('the embedded calendar is accessible and follows the options of its URL', async ({ page }) => {
  for (const view of ['month', 'week', 'day', 'list']) {
    await page.goto(`/embed?type=physician-on-fire&view=${view}&theme=dark`)
    await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
    await expect(page.getByRole('link', { name: /the full calendar/ })).toBeVisible()
    await expect(page.getByRole('banner')).toHaveCount(0)
    if (view === 'list') await expect(page.getByRole('button', { name: 'Week' })).toHaveCount(0)
    else
      await expect(
        page.getByRole('button', { name: view, exact: false, pressed: true }),
      ).toBeVisible()
    await expectAccessible(page)
  }
})

for (const [theme, system] of [
  ['dark', 'light'],
  ['light', 'dark'],
] as const) {
  test(`a calendar embedded as ${theme} is ${theme} from its first paint on a ${system} system`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: system })
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    // The first paint must not depend on a script.
    await page.route('**/assets/*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`/embed?theme=${theme}`, { waitUntil: 'commit' })
    await page.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0)
    const first = await brightnessOf(page, await page.screenshot())
    if (theme === 'dark') expect(first).toBeLessThan(60)
    else expect(first).toBeGreaterThan(220)
    release()
    await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
    const later = await brightnessOf(page, await page.screenshot())
    expect(Math.abs(later - first)).toBeLessThan(3)
  })
}

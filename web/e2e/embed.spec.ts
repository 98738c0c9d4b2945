import { type LocalServer, startLocalServer } from './support/local-server.ts'
import { expectAccessible, keepPicture } from './support/page.ts'
import { expect, test } from './support/test.ts'

/** A page of another site, with the calendar in it. */
async function startOtherSite(snippet: string): Promise<LocalServer> {
  const html = `<!doctype html><html lang="en"><title>Our site</title><body><h1>Our site</h1>${snippet}</body></html>`
  return startLocalServer((request, response) => {
    const isPage = request.url === '/'
    response.writeHead(isPage ? 200 : 204, { 'Content-Type': 'text/html' }).end(isPage ? html : '')
  })
}

for (const width of [320, 390, 1440]) {
  for (const theme of ['light', 'dark']) {
    test(`another site shows the calendar at ${width} in ${theme}`, async ({ page, baseURL }) => {
      const other = await startOtherSite(
        `<div data-lectern-embed data-theme="${theme}"></div><script async src="${baseURL ?? ''}/embed.js"></script>`,
      )
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`http://localhost:${other.port}/`)
      const frame = page.frameLocator('iframe')
      await expect(frame.getByRole('heading', { level: 2 })).toBeVisible()
      const opener = frame.getByRole('button', { name: /\(opens in a new tab\)/ }).first()
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
      await keepPicture(page, `embed-${width}-${theme}`, true)

      const [opened] = await Promise.all([page.context().waitForEvent('page'), opener.click()])
      await expect(opened.getByRole('heading', { level: 1 })).toBeVisible()
      expect(new URL(opened.url()).pathname).toMatch(/^\/events\/\d+-/)
      await opened.close()
      other.stop()
    })
  }
}

test('the embedded calendar is accessible, and shows what its address asks for', async ({
  page,
}) => {
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

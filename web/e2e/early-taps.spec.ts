import { slowDownNetwork } from './support/measure.ts'
import { expect, expectToast, test } from './support/test.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, trace: 'off' })

test('on a slow phone no tap is lost, however early it is', { tag: '@speed' }, async ({ page }) => {
  test.setTimeout(240_000)
  const events = (await (await page.request.get('/api/events')).json()) as { path: string }[]
  const browser = await slowDownNetwork(page)
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  for (let delay = 0; delay <= 2500; delay += 300) {
    await browser.send('Network.clearBrowserCache')
    await page.goto(events.at(-1)?.path ?? '', { waitUntil: 'commit' })
    const share = page.getByRole('button', { name: 'Share' })
    await share.scrollIntoViewIfNeeded()
    await page.waitForTimeout(delay)
    const box = await share.boundingBox()
    if (!box) throw new Error('There is no button')
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    await expectToast(page, /^(Link copied|Copy this address)/)
  }
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

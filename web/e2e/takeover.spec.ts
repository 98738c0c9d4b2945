import type { Page } from '@playwright/test'
import { addInPersonEvent } from './support/event-data.ts'
import { admin, startLectern } from './support/lectern.ts'
import { open, waitForReact } from './support/page.ts'
import { expect, test } from './support/test.ts'

const blocks = ['header', '#main > section', '#main > .wrap-flush > section', 'footer']
const eventBlocks = ['header', '#main > article', 'footer']

/**
 * The blocks of the page as rendered by the server and by React, without what differs by design:
 * generated ids, the account, the count.
 */
async function servedAndRendered(page: Page, path: string, blocks: readonly string[]) {
  const served = await (await page.request.get(path)).text()
  return page.evaluate(
    ({ served, blocks }) => {
      const isPhone = matchMedia('(max-width: 768px)').matches
      const normalize = (root: ParentNode | null) => {
        if (!root) return ''
        const copy = root.cloneNode(true) as Element
        const other = isPhone ? '.desktop-only' : '.phone-only'
        for (const hidden of copy.querySelectorAll(`${other}, [class^="account-controls"]`))
          hidden.remove()
        // Only used without scripts.
        for (const unused of copy.querySelectorAll('noscript')) unused.remove()
        // Only scripts know the count and the time zone of the browser.
        for (const dynamic of copy.querySelectorAll(
          '.attending-count__root, .event-facts__own, .event-details__own dd',
        ))
          dynamic.replaceChildren()
        for (const element of [copy, ...copy.querySelectorAll('*')]) {
          element.classList.remove('desktop-only', 'phone-only', 'fading-image__pending')
          for (const name of [
            'id',
            'aria-labelledby',
            'aria-describedby',
            'data-discover',
            'style',
            'disabled',
          ]) {
            element.removeAttribute(name)
          }
          const attributes = [...element.attributes].map(
            ({ name, value }) => [name, value] as const,
          )
          for (const [name] of attributes) element.removeAttribute(name)
          for (const [name, value] of attributes.sort()) element.setAttribute(name, value)
        }
        copy.normalize()
        return copy.outerHTML
      }
      const before = new DOMParser().parseFromString(served, 'text/html')
      return blocks.map((block) => ({
        block,
        served: normalize(before.querySelector(block)),
        rendered: normalize(document.querySelector(block)),
      }))
    },
    { served, blocks },
  )
}

async function expectSameMarkup(page: Page, path = '/', parts = blocks) {
  for (const { block, served, rendered } of await servedAndRendered(page, path, parts)) {
    expect(served, `${block} as the server renders it`).toBe(rendered)
  }
}

for (const width of [390, 1440]) {
  test(`React renders the same markup as the server, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await open(page, '/')
    await expectSameMarkup(page)
  })
}

for (const width of [390, 1440]) {
  test(`React renders in-person events and no events like the server, ${width} px wide`, async ({
    browser,
  }) => {
    const lectern = await startLectern('empty')
    lectern.createAdmin()
    const context = await browser.newContext({
      baseURL: lectern.url,
      viewport: { width, height: 900 },
    })
    const page = await context.newPage()
    await open(page, '/')
    await expectSameMarkup(page)

    await page.request.post('/api/auth/login', { data: admin })
    await addInPersonEvent(page.request, 'Walk & dinner, with “quotes” <and> more')
    await page.request.post('/api/auth/logout')
    await open(page, '/')
    await expect(page.getByText('investors attending')).toBeVisible()
    await expectSameMarkup(page)

    const events = (await (await page.request.get('/api/events')).json()) as { path: string }[]
    for (const { path } of events) {
      await open(page, path)
      await expect(page.getByText('investors attending')).toBeVisible()
      await expectSameMarkup(page, path, eventBlocks)
    }
    await context.close()
    await lectern.stop()
  })
}

test('event pages render the same markup as the server, for online and past events', async ({
  page,
}) => {
  const events = (await (await page.request.get('/api/events')).json()) as {
    path: string
    type: string
  }[]
  const online = events.filter(({ type }) => type !== 'In-Person Events')
  for (const path of [online[0]?.path, online.at(-1)?.path]) {
    await open(page, path ?? '')
    await expect(page.getByText('Your time')).toBeVisible()
    await expectSameMarkup(page, path, eventBlocks)
  }
  await open(page, online[0]?.path ?? '')
  await expect(
    page.getByText('This event is over. The link may lead to a recording.'),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: /^Register Now/ })).toBeVisible()
})

test('keyboard focus stays where it is when React starts', async ({ page }) => {
  for (const keys of [['Tab'], ['Tab', 'Enter'], ['Tab', 'Tab', 'Tab']]) {
    let release: (() => void) | undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/assets/index-*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.getByRole('contentinfo')).toBeVisible()
    for (const key of keys) await page.keyboard.press(key)
    const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 40))
    expect(focused).not.toContain('<body')
    release?.()
    await waitForReact(page)
    expect(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 40))).toBe(focused)
    await page.unroute('**/assets/index-*.js')
  }
})

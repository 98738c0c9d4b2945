import { type FormProvider, startFormProvider } from './support/form-provider.ts'
import { expectAccessible, open } from './support/page.ts'
import { expect, test as base } from './support/test.ts'

const test = base.extend<object, { provider: FormProvider }>({
  provider: [
    // eslint-disable-next-line no-empty-pattern -- Playwright requires the pattern.
    async ({}, use) => {
      const provider = await startFormProvider()
      await use(provider)
      provider.stop()
    },
    { scope: 'worker' },
  ],
  config: async ({ provider }, use) => use(provider.config),
})

const message = 'The form could not be loaded.'

test.beforeEach(({ provider }) => {
  provider.requests = 0
})

test('I subscribe with the configured form, which loads when I reach it', async ({
  page,
  provider,
}) => {
  provider.mode = 'works'
  await page.setViewportSize({ width: 1440, height: 600 })
  await open(page, '/')
  expect(provider.requests).toBe(0)

  await page.getByRole('link', { name: 'Subscribe' }).first().click()
  const block = page.getByRole('region', { name: "Don't Miss Upcoming Events" })
  await expect(block.getByRole('form', { name: 'Newsletter investors' })).toBeVisible()
  await expect(block.getByLabel('Your e-mail')).toBeEditable()
  expect(provider.requests).toBe(1)
  expect((await block.boundingBox())?.height).toBeGreaterThanOrEqual(550)
  await expectAccessible(page)
})

test('I try again when the code of the form failed to load, and the focus stays there', async ({
  page,
  provider,
  consoleMessages,
}) => {
  consoleMessages.allow(/ERR_FAILED/)
  provider.mode = 'works'
  const code = '**/assets/provider-form-*.js'
  await page.route(code, (route) => route.abort())
  await open(page, '/')
  const block = page.getByRole('region', { name: "Don't Miss Upcoming Events" })
  await block.scrollIntoViewIfNeeded()
  const tryAgain = block.getByRole('button', { name: 'Try Again' })
  await expect(tryAgain).toBeVisible()
  await page.unroute(code)
  await tryAgain.click()
  await expect(block.getByRole('form', { name: 'Newsletter investors' })).toBeVisible()
  await expect(block).toBeFocused()
})

for (const [reason, code] of [
  ['without scripts', 'lazy-sections'],
  ['when the code of the sections fails to load', 'lazy-sections'],
  ['when its own code fails to load', 'newsletter'],
] as const) {
  test(`instead of the form I see other subscriptions, ${reason}`, async ({ browser, lectern }) => {
    const context = await browser.newContext({
      baseURL: lectern.url,
      javaScriptEnabled: reason !== 'without scripts',
    })
    const page = await context.newPage()
    await page.route(`**/assets/${code}-*.js`, (route) => route.abort())
    await page.goto('/')
    const block = page.getByRole('region', { name: "Don't Miss Upcoming Events" })
    await block.scrollIntoViewIfNeeded()
    await expect(block.getByText(message)).toBeVisible()
    await expect(block.getByRole('link', { name: 'Apple Calendar' })).toBeVisible()
    await expect(block.getByRole('link', { name: 'feed of new events' })).toBeVisible()
    await context.close()
  })
}

test('I see at once that the form can’t be loaded', async ({ page, provider, consoleMessages }) => {
  consoleMessages.allow(/embed\.js$/)
  provider.mode = 'fails'
  await page.emulateMedia({ colorScheme: 'dark' })
  // Without the timeout of a silent provider, which shows the same message.
  await page.addInitScript(() => {
    const start = window.setTimeout.bind(window)
    const startShort = (handler: TimerHandler, delay?: number, ...more: unknown[]) =>
      (delay ?? 0) < 5000 ? start(handler, delay, ...more) : 0
    Object.assign(window, { setTimeout: startShort })
  })
  await open(page, '/#subscribe')
  await expect(page.getByText(message)).toBeVisible()
  await expectAccessible(page)
})

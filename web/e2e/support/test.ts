import {
  test as base,
  expect,
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  type Page,
} from '@playwright/test'
import { admin, type Lectern, startLectern } from './lectern.ts'

type Session = Awaited<ReturnType<BrowserContext['storageState']>>

interface Fixtures {
  /** What the server starts with: the demo events, or nothing. */
  data: 'demo' | 'empty'
  /** The operator's config.toml. */
  config: string
  lectern: Lectern
  /** Fails a test whose pages log an error or a warning that it does not allow. */
  consoleMessages: { allow: (pattern: RegExp) => void }
  /** The API, signed in as an admin. */
  adminApi: APIRequestContext
}

interface WorkerFixtures {
  /** The server of the file that this worker runs, and its admin's session. */
  current: { key: string; lectern?: Lectern; session?: Session }
}

/** For `test.use`: the pages move, as for most visitors. */
export const withMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const

/** Playwright's test. Each worker starts one server per test file. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  data: ['demo', { option: true }],
  config: ['', { option: true }],

  current: [
    // eslint-disable-next-line no-empty-pattern -- Playwright requires the pattern.
    async ({}, use) => {
      const current: WorkerFixtures['current'] = { key: '' }
      await use(current)
      await current.lectern?.stop()
    },
    { scope: 'worker' },
  ],

  lectern: async ({ current, data, config }, use, { file }) => {
    const key = [file, data, config].join('\n')
    if (!current.lectern || current.key !== key) {
      await current.lectern?.stop()
      Object.assign(current, { key, lectern: undefined, session: undefined })
      current.lectern = await startLectern(data, config)
    }
    await use(current.lectern)
  },

  baseURL: async ({ lectern }, use) => {
    await use(lectern.url)
  },

  page: async ({ page }, use) => {
    await recordToasts(page)
    await use(page)
  },

  consoleMessages: [
    async ({ page }, use) => {
      // The sign-in pages request the current user, and browsers log the 401.
      const allowed = [/\/api\/user\?t=\d+$/]
      const problems: string[] = []
      page.on('console', (message) => {
        if (!['error', 'warning'].includes(message.type())) return
        const problem = `${message.text()} ${message.location().url}`
        if (!allowed.some((pattern) => pattern.test(problem))) problems.push(problem)
      })
      page.on('pageerror', (error) => problems.push(error.message))
      await use({ allow: (pattern) => allowed.push(pattern) })
      expect(problems).toEqual([])
    },
    { auto: true },
  ],

  adminApi: async ({ current, lectern, playwright }, use) => {
    const baseURL = lectern.url
    const storageState = current.session ?? { cookies: [], origins: [] }
    const api = await playwright.request.newContext({ baseURL, storageState })
    if (!(await api.get('/api/user')).ok()) {
      const logIn = () => api.post('/api/auth/login', { data: admin })
      if (!(await logIn()).ok()) {
        lectern.createAdmin()
        expect((await logIn()).ok()).toBe(true)
      }
      current.session = await api.storageState()
    }
    await use(api)
    await api.dispose()
  },
})

/** A page of a second browser, without this one's cookies. */
export async function openSecondBrowser(browser: Browser, { url }: Lectern): Promise<Page> {
  const page = await browser.newPage({ baseURL: url })
  await recordToasts(page)
  return page
}

/** Records every toast with the path of its page: on a busy machine a test can miss the three seconds. */
async function recordToasts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const toasts: { text: string; path: string }[] = []
    const latest = new WeakMap<Element, string>()
    Object.assign(window, { toasts })
    new MutationObserver(() => {
      for (const status of document.querySelectorAll('[role=status], [role=alert]')) {
        const toast = { text: status.textContent, path: location.pathname }
        const content = JSON.stringify(toast)
        if (latest.get(status) !== content && toast.text) toasts.push(toast)
        latest.set(status, content)
      }
    }).observe(document, { childList: true, characterData: true, subtree: true })
  })
}

/** Expects that a toast with this text has appeared since the last such check, here or at `path`. */
export async function expectToast(page: Page, text: string | RegExp, path = ''): Promise<void> {
  await page.waitForFunction(
    ({ text, path }) => {
      const { toasts } = window as unknown as { toasts: { text: string; path: string }[] }
      const index = toasts.findIndex(
        (toast) =>
          (typeof text === 'string' ? toast.text.includes(text) : text.test(toast.text)) &&
          (!path || toast.path === path),
      )
      if (index >= 0) toasts.splice(0, index + 1)
      return index >= 0
    },
    { text, path },
    { timeout: 10_000 },
  )
}

export { expect }

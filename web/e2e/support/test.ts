import { test as base, expect, type APIRequestContext } from '@playwright/test'
import { admin, type Lectern, startLectern } from './lectern.ts'

interface Fixtures {
  /** Fails a test in whose pages anything went wrong, unless it says that it expects it. */
  quietConsole: { expectProblem: (pattern: RegExp) => void }
  /** The API, signed in as an admin. */
  adminApi: APIRequestContext
}

interface WorkerFixtures {
  /** What the server starts with: the demo season, or nothing. */
  data: 'demo' | 'empty'
  /** The operator's config.toml. */
  config: string
  lectern: Lectern
}

/** Playwright's test, with a lectern of its own in each worker. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  data: ['demo', { option: true, scope: 'worker' }],
  config: ['', { option: true, scope: 'worker' }],

  lectern: [
    async ({ data, config }, use) => {
      const lectern = await startLectern(data, config)
      await use(lectern)
      await lectern.stop()
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ lectern }, use) => {
    await use(lectern.url)
  },

  quietConsole: [
    async ({ page }, use) => {
      // The sign-in pages always ask who is signed in, and browsers note the answer "nobody".
      const expected = [/\/api\/user\?t=\d+$/]
      const problems: string[] = []
      page.on('console', (message) => {
        if (!['error', 'warning'].includes(message.type())) return
        const problem = `${message.text()} ${message.location().url}`
        if (!expected.some((pattern) => pattern.test(problem))) problems.push(problem)
      })
      page.on('pageerror', (error) => problems.push(error.message))
      await use({ expectProblem: (pattern) => expected.push(pattern) })
      expect(problems).toEqual([])
    },
    { auto: true },
  ],

  adminApi: async ({ lectern, playwright }, use) => {
    const api = await playwright.request.newContext({ baseURL: lectern.url })
    const signIn = () => api.post('/api/auth/login', { data: admin })
    if (!(await signIn()).ok()) {
      lectern.createAdmin()
      expect((await signIn()).ok()).toBe(true)
    }
    await use(api)
    await api.dispose()
  },
})

export { expect }

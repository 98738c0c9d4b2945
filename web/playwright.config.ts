import { defineConfig } from '@playwright/test'
import { launchOptions } from './e2e/support/browser.ts'

// The zone of the site, for the tests and their browser: elsewhere it is another day, or month, for some hours.
const timezoneId = 'America/New_York'
process.env.TZ = timezoneId

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  // For slow machines.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: 'chromium',
    timezoneId,
    viewport: { width: 1440, height: 900 },
    // A trace of each test would cost a third of the processor time: `--trace retain-on-failure` shows what failed.
    screenshot: 'only-on-failure',
    // A visit of the home page would take almost twice the processor time: without a GPU its animation is drawn by one.
    // Tests of what moves, and of what visitors see first, ask for motion (`withMotion`).
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: await launchOptions(),
  },
})

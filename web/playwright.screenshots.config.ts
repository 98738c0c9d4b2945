import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** `npm run screenshots`: pictures of the main states, to be looked at. */
export default defineConfig(base, {
  testMatch: '**/*.shots.ts',
  outputDir: 'test-results/screenshots',
  workers: 1,
  use: { trace: 'off' },
})

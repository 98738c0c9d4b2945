import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** `npm run screenshots`: images of the main states, for review. */
export default defineConfig(base, {
  testMatch: '**/*.shots.ts',
  outputDir: 'test-results/screenshots',
  workers: 1,
  use: { trace: 'off' },
})

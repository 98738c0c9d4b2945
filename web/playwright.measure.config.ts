import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** `npm run measure`: the first view on a slow phone, beside that of the older binary LECTERN_OLD. */
export default defineConfig(base, {
  testMatch: '**/*.measure.ts',
  outputDir: 'test-results/measure',
  workers: 1,
  use: { trace: 'off' },
})

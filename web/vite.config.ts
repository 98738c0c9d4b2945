import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { compressedCopies } from './build-tools/compressed-copies.ts'
import { eventStyles } from './build-tools/event-styles.ts'
import { firstDataInDevelopment } from './build-tools/first-data-in-development.ts'
import { preloadTextFont } from './build-tools/preload-text-font.ts'
import { scopedNames } from './build-tools/scoped-names.ts'

/** Where `npm run dev` finds a running lectern, for its data. */
const server = process.env.LECTERN_DEV_SERVER ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [
    react(),
    preloadTextFont(),
    eventStyles(),
    compressedCopies(),
    firstDataInDevelopment(server),
  ],
  css: { modules: { generateScopedName: scopedNames() } },
  build: {
    // The content policy allows neither inline scripts nor data: addresses for fonts and scripts.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    assetsDir: 'assets',
    // Two per cent less to download than the quicker default leaves.
    minify: 'terser',
    terserOptions: { compress: { passes: 2 } },
    // What a first view needs comes as one file: in several it compresses worse by 2 kB.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] } },
    },
  },
  server: {
    proxy: { '/api': server, '/pictures': server },
    // The cases that both test suites run lie beside the Rust tests.
    fs: { allow: [fileURLToPath(new URL('..', import.meta.url))] },
  },
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    environment: 'jsdom',
    // Away from the zones that the tests speak of, so that nothing leans on the machine's own.
    env: { TZ: 'Asia/Kolkata' },
    setupFiles: ['src/testing/setup.ts'],
    // Long enough for a busy machine.
    testTimeout: 30_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
})

import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { brotliFiles } from './build-tools/brotli-files.ts'
import { bundledPackages } from './build-tools/bundled-packages.ts'
import { chunkFiles } from './build-tools/chunk-files.ts'
import { initialDataInDevelopment } from './build-tools/initial-data-in-development.ts'
import { preloadTextFont } from './build-tools/preload-text-font.ts'
import { lowScriptPriority } from './build-tools/script-priority.ts'
import { scopedNames } from './build-tools/scoped-names.ts'

/** The running lectern from which `npm run dev` gets its data. */
const server = process.env.LECTERN_DEV_SERVER ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [
    react(),
    preloadTextFont(),
    chunkFiles(),
    lowScriptPriority(),
    brotliFiles(),
    bundledPackages(),
    initialDataInDevelopment(server),
  ],
  css: { modules: { generateScopedName: scopedNames() } },
  build: {
    // The content security policy forbids inline scripts, and data: URLs for fonts and scripts.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    assetsDir: 'assets',
    // The output is 2% smaller than with the faster default. Inlining functions would repeat their code,
    // and no code depends on what reading a property does.
    minify: 'terser',
    terserOptions: {
      ecma: 2020,
      compress: { passes: 3, ecma: 2020, inline: false, pure_getters: true },
    },
    // One file for the initial chunks, which compresses 2 kB better than several, one for the sections
    // that are hydrated after them, and one for an event's page, whose parts the dialog shares.
    rolldownOptions: {
      // Else the event's page imports the menu's chunk for it, although only the server's build uses it there.
      treeshake: {
        moduleSideEffects: [{ test: /\/public\/calendar-links\./, sideEffects: false }],
      },
      output: {
        // Each name of a chunk is in the main script: 36 bits tell the versions of a file apart.
        chunkFileNames: 'assets/[name]-[hash:6].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        codeSplitting: {
          groups: [
            { name: 'page', tags: ['$initial'] },
            // What the calendar shares with pages that do not need the rest of it.
            {
              name: 'shared',
              test: /\/(ui\/alert|events\/(load-error|use-event)|lib\/copy-text)\./,
            },
            { name: 'text', test: /\/lib\/text\./ },
            {
              name: 'calendar',
              test: /\/calendar\/(calendar-card|entries|event-chip|month-table|nearest-event|toolbar)\./,
            },
            {
              name: 'newsletter',
              test: /\/(app\/newsletter-content|newsletter\/(newsletter-block|embedded-form)|subscriptions\/(subscription-links|subscription-list))\./,
            },
            {
              name: 'lazy-sections',
              test: /\/app\/(event-calendar|newsletter-section)\./,
            },
            { name: 'not-found-route', test: /\/routes\/not-found-route\./ },
            {
              name: 'sign-in',
              test: /\/(routes\/(admin-login|auth|auth-success|login-help)-route|routes\/sign-in-pages\.module|layouts\/sign-in-layout|auth\/(sign-in-form|sign-in|popup))\./,
            },
            { name: 'dialog', test: /\/ui\/dialog\./ },
            { name: 'search', test: /\/search\/search-result\./ },
            {
              name: 'menu',
              test: /\/(ui\/menu|public\/(add-to-calendar-menu|calendar-links))\./,
            },
            {
              name: 'event-route',
              test: /\/(routes\/event-route|app\/edit-event-link|events\/public\/(event-details|series-fact|share-button))\./,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': server, '/pictures': server },
    // The rule cases that both test suites run are in the Rust tests' folder.
    fs: { allow: [fileURLToPath(new URL('..', import.meta.url))] },
  },
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    // A process and a jsdom for each file took two thirds of the processor time of all tests.
    environment: './src/testing/shared-jsdom.ts',
    isolate: false,
    // A fixed time zone that no test uses.
    env: { TZ: 'Asia/Kolkata' },
    setupFiles: ['src/testing/setup.ts'],
    // For slow machines.
    testTimeout: 30_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
})

import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { bundledPackages } from './build-tools/bundled-packages.ts'
import { scopedNames } from './build-tools/scoped-names.ts'

// It needs neither streams nor message channels nor a text encoder.
const reactDomServer = 'node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js'

/** Modules that the server never renders. */
const excluded = [
  'admin-route',
  'admin-login-route',
  'auth-route',
  'auth-success-route',
  'login-help-route',
  'time-grid',
  'grid-navigation',
  'search-dialog',
  'page-event-dialog',
  'day-dialog',
  'subscribe-menu',
  'add-to-calendar-menu',
  'provider-form',
]

/** Builds the components as one script for the server's JavaScript engine, which renders the pages. `build.rs` compiles it. */
export default defineConfig({
  plugins: [react(), bundledPackages()],
  css: { modules: { generateScopedName: scopedNames() } },
  define: { 'process.env.NODE_ENV': '"production"' },
  resolve: {
    alias: [
      {
        find: /^react-dom\/server$/,
        replacement: fileURLToPath(new URL(reactDomServer, import.meta.url)),
      },
    ],
  },
  ssr: { noExternal: true, target: 'webworker' },
  build: {
    ssr: 'src/server.tsx',
    outDir: 'dist-server',
    copyPublicDir: false,
    minify: 'terser',
    rolldownOptions: {
      output: { format: 'iife', name: 'server', codeSplitting: false },
      external: new RegExp(`/(${excluded.join('|')})$`),
    },
  },
})

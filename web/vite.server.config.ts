import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brotliFiles } from './build-tools/brotli-files.ts'
import { scopedNames } from './build-tools/scoped-names.ts'

// It needs neither streams nor message channels nor a text encoder.
const reactDomServer = 'node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js'

/** Code that no first view needs, which the server's script leaves out. */
const leftOut = [
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
  'subscription-list',
  'add-to-calendar-menu',
  'embed-attempt',
]

/** The components as one script for the server's JavaScript engine, which renders the first view. */
export default defineConfig({
  plugins: [react(), brotliFiles()],
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
      external: new RegExp(`/(${leftOut.join('|')})$`),
    },
  },
})

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'

const web = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the page with React's development build, which reports every mismatch; returns its folder. */
export function buildForDevelopment(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-development-'))
  const options = ['--mode', 'development', '--minify', 'false', '--emptyOutDir']
  execFileSync('npx', ['vite', 'build', ...options, '--outDir', folder], {
    cwd: web,
    env: { ...process.env, NODE_ENV: 'development' },
    stdio: 'ignore',
  })
  return join(folder, 'assets')
}

/** Replaces the scripts and style sheets of the served pages by those of the development build. */
export async function useDevelopmentBuild(page: Page, assets: string): Promise<void> {
  const entry = readdirSync(assets).find((name) => /^index-.*\.js$/.test(name)) ?? ''
  await page.route(/\/assets\/.*\.(js|css)$/, async (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    const file = join(assets, name)
    const contentType = name.endsWith('.css') ? 'text/css' : 'text/javascript'
    if (existsSync(file)) await route.fulfill({ path: file, contentType })
    else {
      // The page names the production build's files: its entry, and chunks to preload.
      const body = /^index-.*js$/.test(name) ? `import '/assets/${entry}'` : ''
      await route.fulfill({ body, contentType })
    }
  })
}

import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'

/** A script, or a file such as a font. */
interface Output {
  moduleIds?: string[]
  originalFileNames?: string[]
}

/**
 * Lists the npm packages with a module in the bundle, in `node_modules/.cache/`, for the notices of
 * third-party licenses (`packaging/third-party.py`).
 */
export function bundledPackages(): Plugin {
  let root = ''
  let outDir = ''

  return {
    name: 'lectern:bundled-packages',
    apply: 'build',
    configResolved(config) {
      root = config.root
      outDir = config.build.outDir
    },
    async writeBundle(_, bundle) {
      const found = new Set<string>()
      for (const output of Object.values(bundle) as Output[]) {
        for (const id of [...(output.moduleIds ?? []), ...(output.originalFileNames ?? [])]) {
          const parts = id.split('node_modules/').slice(1)
          const names = parts.map((part) => /^(?:@[^/]+\/)?[^/]+/.exec(part)?.[0])
          if (names.length > 0) found.add(names.join('/node_modules/'))
        }
      }
      const folder = join(root, 'node_modules/.cache')
      await mkdir(folder, { recursive: true })
      const file = join(folder, `bundled-packages-${basename(outDir)}.json`)
      await writeFile(file, JSON.stringify([...found].sort()))
    },
  }
}

import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = new Set(['.css', '.js', '.json', '.map', '.svg', '.txt', '.xml'])

const withBrotli = (content: Buffer) =>
  promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  })

/**
 * Replaces each file that gets smaller by a `.br` of it: the binary embeds text once, and the server
 * makes other codings for the few clients without brotli. `index.html` is excluded: it is a template
 * that the server fills. Development builds stay as they are.
 */
export function brotliFiles(): Plugin {
  let outDir = ''

  return {
    name: 'lectern:brotli-files',
    apply: (_, { command, mode }) => command === 'build' && mode === 'production',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    async closeBundle(error?: Error) {
      if (error) return
      const entries = await readdir(outDir, { recursive: true, withFileTypes: true })
      const files = entries.filter(
        (entry) => entry.isFile() && compressible.has(extname(entry.name)),
      )
      for (const file of files) {
        const path = join(file.parentPath, file.name)
        const content = await readFile(path)
        const compressed = await withBrotli(content)
        if (compressed.length >= content.length) continue
        await writeFile(`${path}.br`, compressed)
        await rm(path)
      }
    },
  }
}

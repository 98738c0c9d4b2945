import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
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
const withGzip = (content: Buffer) => promisify(gzip)(content, { level: 9 })

/**
 * Writes a `.br` and a `.gz` next to each file that gets smaller, so that the server compresses no
 * assets at run time. `index.html` is excluded: it is a template that the server fills.
 */
export function compressedCopies(): Plugin {
  let outDir = ''

  return {
    name: 'lectern:compressed-copies',
    apply: 'build',
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
        const [br, gz] = await Promise.all([withBrotli(content), withGzip(content)])
        if (br.length < content.length) await writeFile(`${path}.br`, br)
        if (gz.length < content.length) await writeFile(`${path}.gz`, gz)
      }
    },
  }
}

import type { Plugin } from 'vite'

interface Chunk {
  type: string
  fileName: string
  name?: string
  imports?: string[]
  isEntry?: boolean
  viteMetadata?: { importedCss: Set<string> }
}

/** The chunks of screens that the server renders; the other screens are in the main one. */
const screens = ['event-route', 'embed-route', 'search-route', 'not-found-route']
/** Chunks that the server's markup does not wait for: their styles come with the page, their scripts later. */
const laterParts = ['later-parts']

/**
 * Lists in a comment in the template the files that these screens need in addition to the main ones.
 * The server replaces the comment with links on their pages.
 */
export function chunkFiles(): Plugin {
  return {
    name: 'lectern:chunk-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const files = bundle as Record<string, Chunk> | undefined
        const filesOf = (screen: string) => {
          const scripts = new Set<string>()
          const styles = new Set<string>()
          const collect = (chunk: Chunk | undefined) => {
            if (!chunk || chunk.isEntry || scripts.has(`/${chunk.fileName}`)) return
            scripts.add(`/${chunk.fileName}`)
            for (const each of chunk.imports ?? []) collect(files?.[each])
            for (const each of chunk.viteMetadata?.importedCss ?? []) styles.add(`/${each}`)
          }
          const route = Object.values(files ?? {}).find(({ name }) => name === screen)
          if (!route) throw new Error(`${screen} has no chunk`)
          collect(route)
          return { scripts: laterParts.includes(screen) ? [] : [...scripts], styles: [...styles] }
        }
        const chunks = Object.fromEntries(
          [...screens, ...laterParts].map((screen) => [screen, filesOf(screen)]),
        )
        const comment = `<!--lectern:chunks ${JSON.stringify(chunks)}-->`
        return html.replace('<!--lectern:head-->', `${comment}<!--lectern:head-->`)
      },
    },
  }
}

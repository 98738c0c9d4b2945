import type { Plugin } from 'vite'

interface Chunk {
  type: string
  fileName: string
  name?: string
  imports?: string[]
  isEntry?: boolean
  viteMetadata?: { importedCss: Set<string> }
}

/** The chunks of routes that the server renders; its other routes are in the main chunk. */
const routes = ['event-route', 'series-route', 'embed-route', 'search-route', 'not-found-route']
/** Chunks that are loaded later: the page links to the styles of these and does not preload the scripts. */
const deferred: Record<string, string[]> = { 'lazy-sections': ['lazy-sections', 'newsletter'] }

/** The chunks of what a visitor opens or scrolls to. No page may need one to start, as it can fail to load. */
const opened = /\/(menu|dialog|newsletter|subscribe-menu)-/

/**
 * Lists the files of these chunks in a comment in the template. On the pages that need them, the
 * server replaces the comment with links.
 */
export function chunkFiles(): Plugin {
  return {
    name: 'lectern:chunk-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const files = bundle as Record<string, Chunk> | undefined
        const filesOf = (chunkName: string) => {
          const scripts = new Set<string>()
          const styles = new Set<string>()
          const collect = (chunk: Chunk | undefined) => {
            if (!chunk || chunk.isEntry || scripts.has(`/${chunk.fileName}`)) return
            scripts.add(`/${chunk.fileName}`)
            for (const each of chunk.imports ?? []) collect(files?.[each])
            for (const each of chunk.viteMetadata?.importedCss ?? []) styles.add(`/${each}`)
          }
          const later = deferred[chunkName]
          for (const each of later ?? [chunkName]) {
            const chunk = Object.values(files ?? {}).find(({ name }) => name === each)
            if (!chunk) throw new Error(`There is no chunk ${each}`)
            collect(chunk)
          }
          const early = later ? undefined : [...scripts].find((script) => opened.test(script))
          if (early) throw new Error(`The chunk ${chunkName} needs ${early} to start`)
          return { scripts: later ? [] : [...scripts], styles: [...styles] }
        }
        const chunks = Object.fromEntries(
          [...routes, ...Object.keys(deferred)].map((name) => [name, filesOf(name)]),
        )
        const comment = `<!--lectern:chunks ${JSON.stringify(chunks)}-->`
        return html.replace('<!--lectern:head-->', `${comment}<!--lectern:head-->`)
      },
    },
  }
}

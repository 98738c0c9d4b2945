import type { Plugin } from 'vite'

interface Chunk {
  type: string
  name?: string
  imports?: string[]
  isEntry?: boolean
  viteMetadata?: { importedCss: Set<string> }
}

/**
 * Lists in a comment in the template the style sheets that event pages need in addition to the main
 * one. The server replaces the comment with links on those pages, which it renders without scripts.
 */
export function eventStyles(): Plugin {
  return {
    name: 'lectern:event-styles',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const files = bundle as Record<string, Chunk> | undefined
        const route = Object.values(files ?? {}).find(({ name }) => name === 'event-route')
        if (!route) throw new Error('The event route has no chunk')
        const styles = new Set<string>()
        const seen = new Set<Chunk>()
        const collect = (chunk: Chunk | undefined) => {
          if (!chunk || chunk.isEntry || seen.has(chunk)) return
          seen.add(chunk)
          for (const each of chunk.imports ?? []) collect(files?.[each])
          for (const each of chunk.viteMetadata?.importedCss ?? []) styles.add(`/${each}`)
        }
        collect(route)
        const comment = `<!--lectern:event-styles ${[...styles].join(' ')}-->`
        return html.replace('<!--lectern:head-->', `${comment}<!--lectern:head-->`)
      },
    },
  }
}

import type { Plugin } from 'vite'

interface Chunk {
  type: string
  name?: string
  imports?: string[]
  isEntry?: boolean
  viteMetadata?: { importedCss: Set<string> }
}

/**
 * Notes in the template which style sheets the pages of events need beyond the first one. The
 * server links them on those pages, as they stand before any script runs, and drops the note.
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
        if (!route) throw new Error('There is no chunk of the event route')
        const styles = new Set<string>()
        const seen = new Set<Chunk>()
        const collect = (chunk: Chunk | undefined) => {
          if (!chunk || chunk.isEntry || seen.has(chunk)) return
          seen.add(chunk)
          for (const each of chunk.imports ?? []) collect(files?.[each])
          for (const each of chunk.viteMetadata?.importedCss ?? []) styles.add(`/${each}`)
        }
        collect(route)
        const note = `<!--lectern:event-styles ${[...styles].join(' ')}-->`
        return html.replace('<!--lectern:head-->', `${note}<!--lectern:head-->`)
      },
    },
  }
}

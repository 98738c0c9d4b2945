import type { Plugin } from 'vite'

/** A name given to a component or a context for tools; it makes the thing look used. */
const names = /^[A-Za-z]+\.displayName = "[^"]*";$/gm
/** Calls that only make something. */
const makers = /= (React\d*\.(?:createContext|forwardRef|memo)\()/g

/**
 * Lets the bundler leave out what react-router has for frameworks, forms and data routers, and its
 * warnings for developers: this site has no use for them, and with them a phone's first download
 * would be 4 kB larger.
 */
export function leanRouter(): Plugin {
  return {
    name: 'lectern:lean-router',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (source !== 'react-router') return null
      const found = await this.resolve(source, importer, { skipSelf: true })
      return found && { ...found, id: found.id.replace('/dist/development/', '/dist/production/') }
    },
    transform(code, id) {
      if (!/\/react-router\/dist\/production\/.*\.mjs$/.test(id)) return null
      return { code: code.replace(names, '').replace(makers, '= /* @__PURE__ */ $1'), map: null }
    },
  }
}

import type { Plugin } from 'vite'

/** Modules of packages that nothing here uses and that tree shaking can't drop, as class methods import them. */
const unused = ['@tanstack/query-core/build/modern/infiniteQueryBehavior.js']

/** Replaces these modules by stubs; a build fails if a package no longer has one of them. */
export function unusedModules(): Plugin {
  const found = new Set<string>()
  return {
    name: 'lectern:unused-modules',
    apply: 'build',
    load(id) {
      const path = unused.find((path) => id.endsWith(`/node_modules/${path}`))
      if (path === undefined) return null
      found.add(path)
      return `const unused = () => { throw new Error('${path} is left out of the build') }
        export { unused as infiniteQueryBehavior, unused as hasNextPage, unused as hasPreviousPage }`
    },
    buildEnd(error) {
      const missing = error ? [] : unused.filter((path) => !found.has(path))
      if (missing.length > 0) throw new Error(`Not in the bundle: ${missing.join(', ')}`)
    },
  }
}

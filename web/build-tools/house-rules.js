// @ts-check
import { basename, dirname, join, relative, sep } from 'node:path'

/** What each room may import from; a room not listed here is `app`, which may use all the others. */
const allowed = new Map([
  ['features', ['features', 'components', 'lib', 'api']],
  ['components', ['components', 'lib', 'api']],
  ['api', ['api', 'lib']],
  ['lib', ['lib']],
])

/** What components in `components/ui` know nothing of: addresses and data. */
const unknownToUi = /^(react-router|@tanstack\/react-query)$/

/**
 * Says why `file` may not import `target` (both relative to `src`), or nothing where it may.
 *
 * @param {string} file
 * @param {string} target
 * @returns {string | undefined}
 */
export function importFault(file, target) {
  const [room = '', feature] = file.split('/')
  const [targetRoom = '', targetFeature] = target.split('/')
  const isTest = /\.test\.tsx?$/.test(file) || room === 'testing'
  if (targetRoom === '..') return isTest ? undefined : 'Only tests may import from outside of src'
  if (targetRoom === 'testing') return isTest ? undefined : 'Only tests may import from testing'
  if (room === 'testing') return undefined
  if (allowed.has(room) && targetRoom !== 'styles' && !allowed.get(room)?.includes(targetRoom)) {
    return `${room} may not import from ${targetRoom}: app → features → components, lib, api`
  }
  if (room === 'features' && targetRoom === 'features' && feature !== targetFeature) {
    return `The feature ${feature} may not import ${targetFeature}: routes compose features`
  }
  if (file.startsWith('components/ui/') && targetRoom === 'api') {
    return 'Components in components/ui know nothing of the API'
  }
  return undefined
}

/** @type {import('eslint').Rule.RuleModule} */
const importZones = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    /** @param {string} path */
    const inSource = (path) => relative(join(context.cwd, 'src'), path).split(sep).join('/')
    const file = inSource(context.filename)
    /** @param {import('estree').Node} node */
    const check = (node) => {
      const specifier =
        'source' in node && node.source && 'value' in node.source ? node.source.value : null
      if (typeof specifier !== 'string' || file.startsWith('..')) return
      const message = specifier.startsWith('.')
        ? importFault(file, inSource(join(dirname(context.filename), specifier)))
        : file.startsWith('components/ui/') && unknownToUi.test(specifier)
          ? `Components in components/ui know nothing of ${specifier}`
          : undefined
      if (message) context.report({ node, message })
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    }
  },
}

/** @type {import('eslint').Rule.RuleModule} */
const kebabCaseFiles = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    return {
      Program(node) {
        const name = basename(context.filename)
        if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)+$/.test(name)) {
          context.report({ node, message: `${name} is not kebab-case` })
        }
      },
    }
  },
}

/** The rules of this house: which room may import from which, and how files are called. */
export const houseRules = {
  rules: { 'import-zones': importZones, 'kebab-case-files': kebabCaseFiles },
}

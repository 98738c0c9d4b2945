// @ts-check

const tests = '^src/testing/|\\.test\\.tsx?$'

/**
 * @param {string} name
 * @param {object} from
 * @param {object} to
 */
const forbid = (name, from, to) => ({ name, severity: /** @type {const} */ ('error'), from, to })

/**
 * The import rules of `src` (architecture.md): app → features → components, lib and api, no cycles.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }),
    forbid(
      'features-import-components-lib-and-api',
      { path: '^src/features/' },
      { path: '^src/', pathNot: '^src/(features|components|lib|api|testing)/' },
    ),
    // Routes compose features.
    forbid(
      'features-do-not-import-each-other',
      { path: '^src/features/([^/]+)/' },
      { path: '^src/features/', pathNot: '^src/features/$1/' },
    ),
    forbid(
      'components-import-lib-and-api',
      { path: '^src/components/' },
      { path: '^src/', pathNot: '^src/(components|lib|api|testing)/' },
    ),
    forbid(
      'ui-components-import-neither-data-nor-routes',
      { path: '^src/components/ui/', pathNot: tests },
      { path: '^src/api/|^node_modules/(react-router|@tanstack/react-query)/' },
    ),
    forbid(
      'api-imports-lib',
      { path: '^src/api/' },
      { path: '^src/', pathNot: '^src/(api|lib|testing)/' },
    ),
    forbid(
      'lib-imports-lib',
      { path: '^src/lib/' },
      { path: '^src/', pathNot: '^src/(lib|testing)/' },
    ),
    forbid('only-tests-import-tests', { path: '^src/', pathNot: tests }, { path: tests }),
    forbid(
      'only-tests-import-from-outside-src',
      { path: '^src/', pathNot: tests },
      { pathNot: '^src/|^node_modules/' },
    ),
    forbid('imports-resolve', {}, { couldNotResolve: true }),
    forbid('files-are-kebab-case', { path: '^src/.*[A-Z_]' }, {}),
    forbid('imported-files-are-kebab-case', {}, { path: '^src/.*[A-Z_]' }),
  ],
  options: {
    // Imports of types count too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'types', 'default'],
    },
  },
}

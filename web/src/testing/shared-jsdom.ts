import { builtinEnvironments, type Environment, type EnvironmentReturn } from 'vitest/runtime'

let dom: Promise<EnvironmentReturn> | undefined

/** jsdom, started once for all test files of a worker: starting it takes longer than the tests of most files. */
const sharedJsdom: Environment = {
  name: 'shared-jsdom',
  viteEnvironment: 'client',
  async setup(global, options) {
    dom ??= Promise.resolve(builtinEnvironments.jsdom.setup(global, options))
    await dom
    return { teardown: () => undefined }
  },
}

// eslint-disable-next-line no-restricted-exports -- Vitest loads the default export.
export default sharedJsdom

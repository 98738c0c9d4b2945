import { vi } from 'vitest'

// A worker runs many files. Each one starts with an empty document and evaluates its modules anew.
// Only automatic mocks are kept from earlier files, with their old functions: give each `vi.mock` a factory.
vi.resetModules()
// Tests with `@vitest-environment node` have no DOM.
if (typeof document !== 'undefined') {
  document.head.replaceChildren()
  document.body.replaceChildren()
  await import('./dom-setup')
}

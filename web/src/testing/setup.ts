// Tests with `@vitest-environment node` have no DOM.
if (typeof document !== 'undefined') await import('./dom-setup')
export {}

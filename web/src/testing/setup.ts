// Tests of plain functions run in node (`@vitest-environment node`), which has no document to prepare.
if (typeof document !== 'undefined') await import('./dom-setup')
export {}

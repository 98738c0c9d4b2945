/**
 * Focuses the page's heading if no element has the focus, because the one that had it was removed. The initial
 * chunk has this file, but not `focusOpener` of `use-open-form.ts`.
 */
export function restoreFocus(): void {
  const focused = document.activeElement
  if (!focused || focused === document.body) {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }
}

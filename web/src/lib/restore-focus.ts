/**
 * Focuses the heading of the open dialog or of the page if no element has the focus, because the one that had it was
 * removed. The initial chunk has this file, but not `focusOpener` of `use-open-form.ts`.
 */
export function restoreFocus(): void {
  const focused = document.activeElement
  if (focused && focused !== document.body) return
  // Nothing behind an open dialog can have the focus.
  const dialog = Array.from(document.querySelectorAll('dialog[open]')).at(-1)
  const heading = dialog
    ? document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')
    : document.querySelector<HTMLElement>('main h1')
  heading?.focus({ preventScroll: true })
}

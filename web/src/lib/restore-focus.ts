/**
 * If no element has the focus, focuses `opener`, or the page's heading if that was removed. The initial
 * chunk has this file, but not `focusOpener` of `use-open-form.ts`.
 */
export function restoreFocus(opener?: Element | null): void {
  const focused = document.activeElement
  if (focused && focused !== document.body) return
  const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
  const target = isThere ? opener : document.querySelector<HTMLElement>('main h1')
  target?.focus({ preventScroll: true })
}

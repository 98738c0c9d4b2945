/** The elements that are like this one: with its id, else of its kind, with its address and words. */
function likenessesOf(element: HTMLElement, root: ParentNode): HTMLElement[] {
  if (element.id) return [...root.querySelectorAll<HTMLElement>(`#${CSS.escape(element.id)}`)]
  return [...root.querySelectorAll<HTMLElement>(element.localName)].filter(
    (other) =>
      other.getAttribute('href') === element.getAttribute('href') &&
      other.textContent === element.textContent,
  )
}

/**
 * Notes what a visitor has focused in what the server wrote. The components put elements of their own
 * in its place, so whoever is on the way with the keyboard by then would begin at the top again. To
 * be called before they do; what it returns, called when they have, focuses the likeness.
 */
export function noteFocus(root: HTMLElement): () => void {
  let focused: HTMLElement | undefined
  let place = -1
  const note = (element: EventTarget | null) => {
    if (!(element instanceof HTMLElement) || !root.contains(element)) return
    focused = element
    place = likenessesOf(element, root).indexOf(element)
  }
  const enter = (event: FocusEvent) => {
    note(event.target)
  }
  const leave = ({ target }: FocusEvent) => {
    // An element that is taken away has not been left.
    queueMicrotask(() => {
      if (focused && focused === target && focused.isConnected) focused = undefined
    })
  }
  root.addEventListener('focusin', enter)
  root.addEventListener('focusout', leave)
  note(document.activeElement)

  return () => {
    root.removeEventListener('focusin', enter)
    root.removeEventListener('focusout', leave)
    if (!focused || focused.isConnected || document.activeElement !== document.body) return
    likenessesOf(focused, root)[place]?.focus({ preventScroll: true })
  }
}

import { useEffect } from 'react'

const controls = 'a, button, input, select, textarea, label, summary, [role="option"]'

/** The control at which an event is aimed; its target if that is in none. */
function controlOf({ target }: MouseEvent): EventTarget | null {
  if (!(target instanceof Element)) return target
  const control = target.closest(controls) ?? target
  return control instanceof HTMLLabelElement ? (control.control ?? control) : control
}

/**
 * Ignores the second click of a double-click if it reaches another control than the first one: what the first click has
 * opened or moved is then under the pointer, and nobody has aimed at it. On a page that the first click has loaded,
 * `early_clicks.js` ignores it.
 */
export function useDoubleClickGuard(): void {
  useEffect(() => {
    let first: EventTarget | null = null
    const onMouseDown = (event: MouseEvent) => {
      if (event.detail <= 1) first = controlOf(event)
      // The focus stays where the first click has set it.
      else if (controlOf(event) !== first) event.preventDefault()
    }
    const onClick = (event: MouseEvent) => {
      if (event.detail <= 1 || controlOf(event) === first) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('mousedown', onMouseDown, true)
    document.addEventListener('click', onClick, true)
    return () => {
      document.removeEventListener('mousedown', onMouseDown, true)
      document.removeEventListener('click', onClick, true)
    }
  }, [])
}

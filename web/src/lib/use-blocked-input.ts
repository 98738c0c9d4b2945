import { type RefObject, useEffect } from 'react'

/** What changes a field, or acts. */
const inputEvents = ['beforeinput', 'keydown', 'mousedown', 'click', 'drop'] as const

/**
 * Lets a form take no input while it is saved: what is typed then would be lost when it closes. The
 * focus stays where it is, unlike with disabled fields.
 */
export function useBlockedInput(form: RefObject<HTMLElement | null>, isSaving: boolean): void {
  useEffect(() => {
    const element = form.current
    if (!isSaving || !element) return undefined
    const block = (event: Event) => {
      if (event instanceof KeyboardEvent && changesNothing(event)) return
      event.preventDefault()
      event.stopPropagation()
    }
    for (const type of inputEvents) element.addEventListener(type, block, { capture: true })
    return () => {
      for (const type of inputEvents) element.removeEventListener(type, block, { capture: true })
    }
  }, [form, isSaving])
}

/** Tab moves the focus; the browser's shortcuts change nothing, or send a `beforeinput`. */
const changesNothing = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key === 'Tab' || ctrlKey || metaKey || altKey

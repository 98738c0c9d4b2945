import { useEffect, useEffectEvent, useRef, useState } from 'react'

/**
 * Moves the focus into the list after a jump to another page, which removes the field with the
 * page's number. `page` is the page that is shown, `find` finds what to focus. Returns what to call
 * with the page of a jump.
 */
export function usePageFocus(page: number, find: () => HTMLElement | null | undefined) {
  // An object, so that a second jump to the same page moves the focus too.
  const [jump, setJump] = useState<{ to: number } | null>(null)
  const done = useRef<typeof jump>(null)
  const focus = useEffectEvent(() => {
    const element = find()
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'nearest' })
  })
  useEffect(() => {
    if (jump?.to !== page || done.current === jump) return
    done.current = jump
    focus()
  }, [jump, page])
  return (to: number) => {
    setJump({ to })
  }
}

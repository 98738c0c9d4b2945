import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './menu.module.css'

interface MenuProps {
  /** What it is a choice of, for assistive technology. */
  label: string
  /** The link or button that it opens beside. */
  opener: HTMLElement
  /** Called by Escape and by a click elsewhere, too. */
  onClose: () => void
  children: ReactNode
}

/** The class of a link or button in a menu. */
export const menuItem = styles.item

/** The class of a sentence in a menu. */
export const menuNote = styles.note

/**
 * Links and buttons in a popover beside what opened it. The focus goes to the first of them, and
 * back when it closes; the arrow keys move between them, as Tab does.
 */
export function Menu({ label, opener, onClose, children }: MenuProps) {
  const box = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const menu = box.current
    if (!menu) return
    opener.focus({ preventScroll: true })
    // The types lack the option that names a popover's invoker.
    ;(menu.showPopover as (options: { source: HTMLElement }) => void).call(menu, { source: opener })
    itemsOf(menu)[0]?.focus({ preventScroll: true })
    return () => {
      menu.hidePopover()
    }
  }, [opener])

  return (
    // The keys are a shortcut between its items, each of which Tab reaches too.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={box}
      className={styles.root}
      popover="auto"
      role="group"
      aria-label={label}
      onToggle={(event) => {
        if (event.newState === 'closed') onClose()
      }}
      onKeyDown={moveFocus}
    >
      {children}
    </div>
  )
}

const itemsOf = (menu: Element) => [...menu.querySelectorAll<HTMLElement>('a, button')]

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const items = itemsOf(event.currentTarget)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const targets: Record<string, number> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }
  const target = targets[event.key]
  if (target === undefined) return
  event.preventDefault()
  items[target]?.focus()
}

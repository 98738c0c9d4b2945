import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './menu.module.css'

interface MenuProps {
  /** The accessible name. */
  label: string
  /** The link or button next to which the menu opens. */
  opener: HTMLElement
  /** Also called on Escape and on a click outside the menu. */
  onClose: () => void
  children: ReactNode
}

/** The class of a link or button in a menu. */
export const menuItem = styles.item

/** The class of a sentence in a menu. */
export const menuNote = styles.note

/**
 * Links and buttons in a popover next to its opener. The first of them is focused, and the opener
 * when it closes; the arrow keys move between them, as Tab does.
 */
export function Menu({ label, opener, onClose, children }: MenuProps) {
  const box = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const menu = box.current
    if (!menu) return
    opener.focus({ preventScroll: true })
    // TypeScript's types lack the `source` option.
    ;(menu.showPopover as (options: { source: HTMLElement }) => void).call(menu, { source: opener })
    itemsOf(menu)[0]?.focus({ preventScroll: true })
    return () => {
      menu.hidePopover()
    }
  }, [opener])

  return (
    // The arrow keys are a shortcut: Tab reaches all items too.
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
  const index = items.indexOf(document.activeElement as HTMLElement)
  const targets: Record<string, number> = {
    ArrowDown: (index + 1) % items.length,
    ArrowUp: (index - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }
  const target = targets[event.key]
  if (target === undefined) return
  event.preventDefault()
  items[target]?.focus()
}

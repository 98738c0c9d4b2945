import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { leavePage } from '../lib/leave-page'
import type { lazyPartQuery } from '../lib/lazy-part-query'

/** What a menu needs to know of the link that opened it. */
export interface OpenMenu {
  opener: HTMLElement
  onClose: () => void
}

interface MenuLinkProps<Menu> {
  /** Where it leads without scripts, in a new tab, and where the menu's code does not come. */
  href: string
  className: string
  /** The code of the menu, which is loaded on use. */
  part: ReturnType<typeof lazyPartQuery<Menu>>
  renderMenu: (menu: Menu, open: OpenMenu) => ReactNode
  children: ReactNode
}

/** A link that opens a menu beside it; the menu is rendered on demand. */
export function MenuLink<Menu>(props: MenuLinkProps<Menu>) {
  const { href, className, part, renderMenu, children } = props
  const queryClient = useQueryClient()
  const [opened, setOpened] = useState<{ menu: Menu; opener: HTMLElement } | null>(null)
  const wasOpen = useRef(false)

  const prepare = () => {
    // Opening it tries again.
    queryClient.query(part).catch(() => undefined)
  }
  const close = () => {
    setOpened(null)
  }
  const open = (opener: HTMLElement) => {
    queryClient.query(part).then(
      (menu) => {
        setOpened({ menu, opener })
      },
      () => {
        leavePage(href)
      },
    )
  }

  return (
    <>
      <a
        className={className}
        href={href}
        aria-expanded={opened !== null}
        onPointerEnter={prepare}
        onFocus={prepare}
        onPointerDown={() => {
          // The menu closes under the pointer before the click that was meant to close it.
          wasOpen.current = opened !== null
        }}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
          event.preventDefault()
          const isOpen = event.detail > 0 ? wasOpen.current : opened !== null
          if (isOpen) close()
          else open(event.currentTarget)
        }}
      >
        {children}
      </a>
      {opened && renderMenu(opened.menu, { opener: opened.opener, onClose: close })}
    </>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { type componentQuery, loadToOpen } from '../lib/lazy'
import { isPlainClick } from './links'
import { reloadToClick, useLoadFailure } from './load-failure'

/** The props of a menu that a link opens. */
export interface OpenMenu {
  opener: HTMLElement
  onClose: () => void
}

interface MenuLinkProps<Menu> {
  /** The target without scripts, and in a new tab. */
  href: string
  className: string
  /** The menu's code, loaded on demand. */
  menuQuery: ReturnType<typeof componentQuery<Menu>>
  renderMenu: (menu: Menu, open: OpenMenu) => ReactNode
  children: ReactNode
}

/** A link that opens a menu next to it. */
export function MenuLink<Menu>(props: MenuLinkProps<Menu>) {
  const { href, className, menuQuery, renderMenu, children } = props
  const queryClient = useQueryClient()
  const onFailure = useLoadFailure('The menu could not be opened. Please try again.')
  const [opened, setOpened] = useState<{ menu: Menu; opener: HTMLElement } | null>(null)
  const wasOpen = useRef(false)

  const preload = () => {
    // Opening the menu tries again and handles the error.
    queryClient.query(menuQuery).catch(() => undefined)
  }
  const close = () => {
    setOpened(null)
  }
  const open = (opener: HTMLElement) => {
    loadToOpen(queryClient, menuQuery).then(
      (menu) => {
        setOpened({ menu, opener })
      },
      () => {
        onFailure(location.href, () => {
          reloadToClick(opener)
        })
      },
    )
  }

  return (
    <>
      <a
        className={className}
        href={href}
        aria-expanded={opened !== null}
        onPointerEnter={preload}
        onFocus={preload}
        onPointerDown={() => {
          // The popover closes on pointerdown, before the click that should close it.
          wasOpen.current = opened !== null
        }}
        onClick={(event) => {
          if (!isPlainClick(event)) return
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

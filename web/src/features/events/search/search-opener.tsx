import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { isPlainClick } from '../../../components/links'
import { useLoadFailure } from '../../../components/load-failure'
import { Icon } from '../../../components/ui/icon'
import { componentQuery, loadToOpen } from '../../../lib/lazy'
import styles from './search-opener.module.css'

const dialogQuery = componentQuery<ComponentType<{ onClose: () => void }>>(
  'search-dialog',
  async () => (await import('./search-dialog')).SearchDialog,
)

/**
 * Opens the event search of the public pages; so does `/`. Before the script runs it is a link to the
 * search page.
 */
export function SearchOpener({ href }: { href: string }) {
  const queryClient = useQueryClient()
  const onFailure = useLoadFailure('The search could not be opened. Please try again.')
  const [opened, setOpened] = useState<{ Dialog: ComponentType<{ onClose: () => void }> }>()

  const open = () => {
    loadToOpen(queryClient, dialogQuery).then(
      (Dialog) => {
        setOpened({ Dialog })
      },
      () => {
        onFailure(href)
      },
    )
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = (event.target as Element).closest('input, textarea, select, [contenteditable]')
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    open()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      onKey(event)
    }
    document.addEventListener('keydown', listen)
    return () => {
      document.removeEventListener('keydown', listen)
    }
  }, [])

  const preload = () => {
    // Opening it again retries.
    queryClient.query(dialogQuery).catch(() => undefined)
  }
  return (
    <>
      <a
        className={styles.root}
        href={href}
        aria-haspopup="dialog"
        aria-keyshortcuts="/"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={(click) => {
          if (!isPlainClick(click)) return
          click.preventDefault()
          open()
        }}
      >
        <Icon name="search" />
        <span className={styles.label}>Search events</span>
        <kbd className={styles.key} aria-hidden="true">
          /
        </kbd>
      </a>
      {opened && (
        <opened.Dialog
          onClose={() => {
            setOpened(undefined)
          }}
        />
      )}
    </>
  )
}

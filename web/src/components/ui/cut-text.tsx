import { useState } from 'react'
import styles from './cut-text.module.css'

/** The first `limit` characters of `text` and an ellipsis, or all of it where it is no longer. */
export function cutAfter(text: string, limit: number): string {
  const characters = Array.from(text)
  return characters.length > limit ? `${characters.slice(0, limit).join('').trimEnd()}…` : text
}

/**
 * Text that is cut after `limit` characters, with all of it in a tooltip that opens on hover, on
 * focus and on a tap, and that Escape closes (spec §2, §9). Shorter text is plain text.
 */
export function CutText({ text, limit }: { text: string; limit: number }) {
  const [isOpen, setIsOpen] = useState(false)
  const cut = cutAfter(text, limit)
  if (cut === text) return text

  const open = () => {
    setIsOpen(true)
  }
  const close = () => {
    setIsOpen(false)
  }
  return (
    <span className={styles.root} onPointerEnter={open} onPointerLeave={close}>
      <button
        type="button"
        className={styles.cut}
        onFocus={open}
        onBlur={close}
        onClick={(event) => {
          // Safari gives a clicked button no focus, and without it nothing would close the tooltip.
          event.currentTarget.focus()
          open()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
        }}
      >
        <span aria-hidden="true">{cut}</span>
        <span className="visually-hidden">{text}</span>
      </button>
      {isOpen && (
        // The button's name says it all already.
        <span role="tooltip" className={styles.tooltip} aria-hidden="true">
          {text}
        </span>
      )}
    </span>
  )
}

import { type KeyboardEvent, useState } from 'react'
import { classNames } from '../../lib/class-names'
import styles from './tooltip.module.css'

/** The first `limit` characters of `text` and an ellipsis, or `text` if it is not longer. */
export function truncate(text: string, limit: number): string {
  const characters = Array.from(text)
  return characters.length > limit ? `${characters.slice(0, limit).join('').trimEnd()}…` : text
}

/**
 * Text that is cut after `limit` characters, with the full text in a tooltip that opens on hover,
 * focus and tap, and that Escape closes (spec §2, §9). Shorter text is plain text.
 */
export function TruncatedText({ text, limit }: { text: string; limit: number }) {
  const { isOpen, open, area, trigger } = useTooltip()
  const cut = truncate(text, limit)
  if (cut === text) return text

  return (
    <span className={styles.root} {...area}>
      <button
        type="button"
        className={styles.cut}
        {...trigger}
        onClick={(event) => {
          // Safari does not focus a clicked button, and the tooltip closes on blur.
          event.currentTarget.focus()
          open()
        }}
      >
        <span className={styles.start} aria-hidden="true">
          {cut}
        </span>
        <span className={classNames('visually-hidden', styles.whole)}>{text}</span>
      </button>
      {isOpen && (
        // The button's accessible name has the full text.
        <span role="tooltip" className={styles.tooltip} aria-hidden="true">
          {text}
        </span>
      )}
    </span>
  )
}

/**
 * A tooltip that opens on hover and focus, and that Escape closes. `area` has the props of the
 * element around trigger and tooltip, `trigger` those of the focusable element; a tap should call
 * `open`.
 */
export function useTooltip() {
  const [isOpen, setIsOpen] = useState(false)
  const open = () => {
    setIsOpen(true)
  }
  const close = () => {
    setIsOpen(false)
  }
  return {
    isOpen,
    open,
    area: { onPointerEnter: open, onPointerLeave: close },
    trigger: {
      onFocus: open,
      onBlur: close,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Escape') close()
      },
    },
  }
}

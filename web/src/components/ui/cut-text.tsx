import styles from './cut-text.module.css'
import { useTooltip } from './use-tooltip'

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
  const { isOpen, open, area, trigger } = useTooltip()
  const cut = cutAfter(text, limit)
  if (cut === text) return text

  return (
    <span className={styles.root} {...area}>
      <button
        type="button"
        className={styles.cut}
        {...trigger}
        onClick={(event) => {
          // Safari gives a clicked button no focus, and without it nothing would close the tooltip.
          event.currentTarget.focus()
          open()
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

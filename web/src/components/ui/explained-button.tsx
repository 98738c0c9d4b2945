import { type ComponentProps, useId } from 'react'
import { Button } from './button'
import styles from './explained-button.module.css'
import { useTooltip } from './use-tooltip'

interface ExplainedButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  /** Why the button is disabled; undefined if it is enabled. */
  why?: string | undefined
  onClick: () => void
}

/**
 * A button that may be disabled. It is then still focusable, with the reason in a tooltip that
 * opens on hover, focus and tap, and that Escape closes.
 */
export function ExplainedButton({ why, onClick, ...button }: ExplainedButtonProps) {
  const id = useId()
  const { isOpen, open, area, trigger } = useTooltip()
  if (why === undefined) return <Button {...button} onClick={onClick} />

  return (
    <span className={styles.root} {...area}>
      <Button {...button} aria-disabled="true" aria-describedby={id} {...trigger} onClick={open} />
      <span role="tooltip" id={id} className={styles.tooltip} hidden={!isOpen}>
        {why}
      </span>
    </span>
  )
}

import { type ComponentProps, useId } from 'react'
import { Button } from './button'
import styles from './button-with-tooltip.module.css'
import { useTooltip } from './tooltip'

interface ButtonWithTooltipProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  /** Shown in the tooltip; undefined if the button is enabled. */
  disabledReason?: string | undefined
  onClick: () => void
}

/**
 * A button that may be disabled. It is then still focusable, with the reason in a tooltip that
 * opens on hover, focus and tap, and that Escape closes.
 */
export function ButtonWithTooltip({ disabledReason, onClick, ...button }: ButtonWithTooltipProps) {
  const id = useId()
  const { isOpen, open, area, trigger } = useTooltip()
  if (disabledReason === undefined) return <Button {...button} onClick={onClick} />

  return (
    <span className={styles.root} {...area}>
      <Button {...button} aria-disabled="true" aria-describedby={id} {...trigger} onClick={open} />
      <span role="tooltip" id={id} className={styles.tooltip} hidden={!isOpen}>
        {disabledReason}
      </span>
    </span>
  )
}

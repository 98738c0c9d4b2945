import { type ComponentProps, useId } from 'react'
import { Button } from './button'
import styles from './explained-button.module.css'
import { useTooltip } from './use-tooltip'

interface ExplainedButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  /** Why it can't be pressed; nothing where it can. */
  why?: string | undefined
  onClick: () => void
}

/**
 * A button that may be out of use. It then still takes the focus, and a tooltip on hover, on focus
 * and on a tap says why it does nothing; Escape closes it.
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

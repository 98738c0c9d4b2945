import { type ComponentProps, useId, useState } from 'react'
import { Button } from './button'
import styles from './explained-button.module.css'

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
  const [isOpen, setIsOpen] = useState(false)
  if (why === undefined) return <Button {...button} onClick={onClick} />

  const open = () => {
    setIsOpen(true)
  }
  const close = () => {
    setIsOpen(false)
  }
  return (
    <span className={styles.root} onPointerEnter={open} onPointerLeave={close}>
      <Button
        {...button}
        aria-disabled="true"
        aria-describedby={id}
        onFocus={open}
        onBlur={close}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
        }}
      />
      <span role="tooltip" id={id} className={styles.tooltip} hidden={!isOpen}>
        {why}
      </span>
    </span>
  )
}

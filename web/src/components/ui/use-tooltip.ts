import { type KeyboardEvent, useState } from 'react'

/**
 * A tooltip that opens on hover and on focus, and that Escape closes. `area` goes to the element
 * around trigger and tooltip, `trigger` to what takes the focus; a tap opens it by `open`.
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

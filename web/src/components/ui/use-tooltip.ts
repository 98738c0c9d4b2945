import { type KeyboardEvent, useState } from 'react'

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

import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { classNames } from '../../lib/class-names'
import { restoreFocus } from '../../lib/restore-focus'
import styles from './dialog.module.css'
import { Toaster } from './toaster'

interface DialogProps extends ComponentProps<'dialog'> {
  /** The id of the heading that names the dialog and is focused; it needs `tabIndex={-1}`. */
  headingId: string
  size?: 'medium' | 'small'
  /** Also called on Escape and on a click outside the dialog. */
  onClose: () => void
}

/**
 * A modal dialog, open while it is rendered. It focuses its heading and returns the focus when it
 * closes; the page behind it does not scroll (guide §9, Dialog).
 */
export function Dialog({
  headingId,
  size = 'medium',
  onClose,
  className,
  children,
  ...props
}: DialogProps) {
  const box = useRef<HTMLDialogElement>(null)

  useLayoutEffect(() => {
    const dialog = box.current
    if (!dialog) return
    const { documentElement: page } = document
    page.style.setProperty('--scroll-bar', `${window.innerWidth - page.clientWidth}px`)
    dialog.showModal()
    document.getElementById(headingId)?.focus({ preventScroll: true })
    return () => {
      animateClosing(dialog)
      dialog.close()
      // After lists have rendered a change, such as the deletion of the row that had the focus. The dialog may also
      // have been opened by the URL.
      setTimeout(restoreFocus)
    }
  }, [headingId])

  return (
    // Keyboard users close it with Escape.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={box}
      className={classNames(styles.root, size === 'small' && styles.small, className)}
      aria-labelledby={headingId}
      onCancel={(event) => {
        event.preventDefault()
        if (event.target === event.currentTarget) onClose()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
      {...props}
    >
      {children}
      <Toaster isInDialog />
    </dialog>
  )
}

/**
 * Animates the closing with a copy of the dialog, because the dialog itself closes immediately. The
 * copy is a popover, to be above the page; in browsers without popovers there is no animation.
 */
function animateClosing(dialog: HTMLDialogElement) {
  const copy = dialog.cloneNode(true) as HTMLDialogElement
  if (typeof copy.showPopover !== 'function') return
  for (const named of [copy, ...copy.querySelectorAll('[id]')]) named.removeAttribute('id')
  // A toast moves to the toaster below.
  copy.querySelector('[data-toaster]')?.remove()
  // A copied map would be requested again.
  for (const frame of copy.querySelectorAll('iframe')) frame.removeAttribute('src')
  copy.removeAttribute('open')
  copy.classList.add(styles.closing ?? '')
  copy.popover = 'manual'
  copy.inert = true
  copy.ariaHidden = 'true'
  document.body.append(copy)
  copy.showPopover()
  const elements = copy.querySelectorAll('*')
  dialog.querySelectorAll('*').forEach(({ scrollTop }, index) => {
    if (scrollTop > 0) elements[index]?.scrollTo(0, scrollTop)
  })
  const remove = () => {
    copy.remove()
  }
  copy.onanimationend = ({ target }) => {
    if (target === copy) remove()
  }
  // In case styles or animations are off.
  setTimeout(remove, 500)
}

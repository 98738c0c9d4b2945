import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { classNames } from '../../lib/class-names'
import styles from './dialog.module.css'

interface DialogProps extends ComponentProps<'dialog'> {
  /** The id of the heading that names the dialog and takes the focus; it needs `tabIndex={-1}`. */
  headingId: string
  size?: 'regular' | 'small'
  /** Called by Escape and by a click beside the dialog, too. */
  onClose: () => void
}

/**
 * A modal dialog, open while it is rendered. The focus goes to its heading, and back to where it
 * was; the page behind it stands still (guide §9, Dialog).
 */
export function Dialog({
  headingId,
  size = 'regular',
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
      showLeaving(dialog)
      dialog.close()
      // Once all that goes with the dialog is gone, such as the row that was deleted from it: lists
      // learn of a change a moment later.
      setTimeout(keepFocus)
    }
  }, [headingId])

  return (
    // Escape is the keyboard's way to close it; the click is the pointer's.
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
    </dialog>
  )
}

/**
 * Gives the focus to the page's heading where nothing has it: the address opened the dialog, or what
 * did is gone.
 */
function keepFocus() {
  const focused = document.activeElement
  if (!focused || focused === document.body) {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }
}

/**
 * Lets a picture of the dialog leave; the dialog itself is gone at once, and the focus back. It
 * stands above the page like the dialog did, where the browser knows popovers, else it is not shown.
 */
function showLeaving(dialog: HTMLDialogElement) {
  const picture = dialog.cloneNode(true) as HTMLDialogElement
  if (typeof picture.showPopover !== 'function') return
  for (const named of [picture, ...picture.querySelectorAll('[id]')]) named.removeAttribute('id')
  // A cloned map would be requested again.
  for (const frame of picture.querySelectorAll('iframe')) frame.removeAttribute('src')
  picture.removeAttribute('open')
  picture.classList.add(styles.leaving ?? '')
  picture.popover = 'manual'
  picture.inert = true
  picture.ariaHidden = 'true'
  document.body.append(picture)
  picture.showPopover()
  const parts = picture.querySelectorAll('*')
  dialog.querySelectorAll('*').forEach(({ scrollTop }, index) => {
    if (scrollTop > 0) parts[index]?.scrollTo(0, scrollTop)
  })
  const remove = () => {
    picture.remove()
  }
  // Its parts may have animations of their own; and styles may be off.
  picture.onanimationend = ({ target }) => {
    if (target === picture) remove()
  }
  setTimeout(remove, 500)
}

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button'
import styles from './confirm-dialog.module.css'
import { Dialog } from './dialog'
import { Spinner } from './loading'

interface ConfirmDialogProps {
  title: string
  /** The question. */
  children: ReactNode
  /** The label of the button that confirms; without one the action is not possible. */
  confirm?: string | undefined
  cancel?: string
  /** Whether the action is destructive. */
  isDestructive?: boolean
  /** Whether the action is running, which disables both buttons. */
  isBusy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/**
 * Asks for confirmation of an action that can't be undone. The focus starts on Cancel (guide §6).
 */
export function ConfirmDialog({
  title,
  children,
  confirm,
  cancel = 'Cancel',
  isDestructive = true,
  isBusy = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const headingId = useId()
  const descriptionId = useId()
  const cancelButton = useRef<HTMLButtonElement>(null)

  // Runs after the dialog's own effect, which focuses the heading.
  useLayoutEffect(() => {
    if (!isBusy) cancelButton.current?.focus()
  }, [isBusy])

  return (
    <Dialog
      headingId={headingId}
      size="small"
      role="alertdialog"
      aria-describedby={descriptionId}
      onClose={() => {
        if (!isBusy) onCancel()
      }}
    >
      <div className={styles.body}>
        <h2 className={styles.title} id={headingId} tabIndex={-1}>
          {title}
        </h2>
        <div className={styles.message} id={descriptionId}>
          {children}
        </div>
      </div>
      <div className={styles.actions}>
        <Button
          ref={cancelButton}
          size="small"
          aria-disabled={isBusy}
          onClick={() => {
            if (!isBusy) onCancel()
          }}
        >
          {cancel}
        </Button>
        {confirm !== undefined && (
          <Button
            variant={isDestructive ? 'destructive' : 'primary'}
            size="small"
            aria-disabled={isBusy}
            onClick={() => {
              if (!isBusy) onConfirm()
            }}
          >
            {isBusy && <Spinner />}
            {confirm}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

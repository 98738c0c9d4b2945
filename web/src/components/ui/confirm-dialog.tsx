import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button'
import styles from './confirm-dialog.module.css'
import { Dialog } from './dialog'
import { Spinner } from './spinner'

interface ConfirmDialogProps {
  title: string
  /** What will happen, as a question. */
  children: ReactNode
  /** What the button says that goes on with it; nothing where it can't be done. */
  confirm?: string | undefined
  cancel?: string
  /** Whether it is a loss, which is the usual reason to ask. */
  isDanger?: boolean
  /** While it is being done, neither button can be pressed. */
  isBusy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before something that can't simply be taken back. The focus starts on Cancel (guide §6). */
export function ConfirmDialog({
  title,
  children,
  confirm,
  cancel = 'Cancel',
  isDanger = true,
  isBusy = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const headingId = useId()
  const descriptionId = useId()
  const cancelButton = useRef<HTMLButtonElement>(null)

  // After the dialog has opened and given the focus to its heading; and again when the button that
  // had it has gone.
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
        <div className={styles.words} id={descriptionId}>
          {children}
        </div>
      </div>
      <div className={styles.actions}>
        <Button
          ref={cancelButton}
          size="dense"
          aria-disabled={isBusy}
          onClick={() => {
            if (!isBusy) onCancel()
          }}
        >
          {cancel}
        </Button>
        {confirm !== undefined && (
          <Button
            variant={isDanger ? 'danger' : 'primary'}
            size="dense"
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

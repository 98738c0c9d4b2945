import type { MouseEvent } from 'react'
import { Button } from './button'
import styles from './saved-input-offer.module.css'

interface SavedInputOfferProps {
  savedInput: {
    offered: { savedAt: number } | null
    /** Whether something was typed since the form opened, which a restore replaces. */
    isChanged: boolean
    restore: () => void
    discard: () => void
  }
}

const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Offers what was typed into a form that was left without saving. */
export function SavedInputOffer({ savedInput }: SavedInputOfferProps) {
  if (!savedInput.offered) return null

  const dismiss = (event: MouseEvent<HTMLButtonElement>, act: () => void) => {
    // The pressed button is removed.
    event.currentTarget.form?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    act()
  }
  return (
    <div className={styles.root} role="group" aria-label="Unsaved changes">
      <p className={styles.message}>
        You left this form on {timeFormat.format(savedInput.offered.savedAt)} without saving.
        {savedInput.isChanged && ' Restoring it replaces what you have typed since.'}
      </p>
      <Button
        size="small"
        variant="primary"
        onClick={(event) => {
          dismiss(event, savedInput.restore)
        }}
      >
        Restore
      </Button>
      <Button
        size="small"
        onClick={(event) => {
          dismiss(event, savedInput.discard)
        }}
      >
        Discard
      </Button>
    </div>
  )
}

import type { MouseEvent } from 'react'
import { Button } from './button'
import styles from './draft-notice.module.css'

interface DraftNoticeProps {
  draft: {
    offered: { savedAt: number } | null
    restore: () => void
    discard: () => void
  }
}

const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Offers what was typed into a form that was left without saving. */
export function DraftNotice({ draft }: DraftNoticeProps) {
  if (!draft.offered) return null

  const answer = (event: MouseEvent<HTMLButtonElement>, act: () => void) => {
    // The pressed button is removed.
    event.currentTarget.form?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    act()
  }
  return (
    <div className={styles.root} role="group" aria-label="Unsaved changes">
      <p className={styles.message}>
        You left this form on {timeFormat.format(draft.offered.savedAt)} without saving.
      </p>
      <Button
        size="small"
        variant="primary"
        onClick={(event) => {
          answer(event, draft.restore)
        }}
      >
        Restore
      </Button>
      <Button
        size="small"
        onClick={(event) => {
          answer(event, draft.discard)
        }}
      >
        Discard
      </Button>
    </div>
  )
}

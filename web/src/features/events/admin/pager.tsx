import { type SubmitEvent, useId } from 'react'
import { Button } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import styles from './pager.module.css'

interface PagerProps {
  page: number
  pages: number
  onPage: (page: number) => void
  /** Called after a jump to a page, which moves the focus into the list. */
  onJump: (page: number) => void
}

/** The pagination of a list (spec §2: `Page x of y` with previous and next). */
export function Pager({ page, pages, onPage, onJump }: PagerProps) {
  const inputId = useId()
  const jump = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const number = event.currentTarget.querySelector('input')?.valueAsNumber ?? NaN
    if (!Number.isInteger(number)) return
    const to = Math.min(Math.max(1, number), pages)
    onPage(to)
    onJump(to)
  }
  const pageButton = (label: string, icon: 'previous' | 'next', to: number) => {
    const isEnd = to < 1 || to > pages
    return (
      // `disabled` would lose the focus on the last page.
      <Button
        size="small"
        className={styles.button}
        aria-label={label}
        aria-disabled={isEnd}
        onClick={() => {
          if (!isEnd) onPage(to)
        }}
      >
        <Icon name={icon} />
      </Button>
    )
  }
  return (
    <nav className={styles.root} aria-label="Pages">
      {pageButton('Previous page', 'previous', page - 1)}
      <span role="status">
        Page {page} of {pages}
      </span>
      {pageButton('Next page', 'next', page + 1)}
      {pages > 2 && (
        // A new page replaces what was typed.
        <form key={page} className={styles.jump} noValidate onSubmit={jump}>
          <label htmlFor={inputId}>Go to page</label>
          <input
            id={inputId}
            className={styles.number}
            name="number"
            type="number"
            inputMode="numeric"
            min={1}
            max={pages}
          />
          <Button type="submit" size="small">
            Go
          </Button>
        </form>
      )}
    </nav>
  )
}

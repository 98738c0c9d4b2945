import { type SubmitEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
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

/**
 * Moves the focus into the list after a jump to another page, which removes the field with the
 * page's number. `page` is the page that is shown, `find` finds what to focus. Returns what to call
 * with the page of a jump.
 */
export function usePageFocus(page: number, find: () => HTMLElement | null | undefined) {
  // An object, so that a second jump to the same page moves the focus too.
  const [jump, setJump] = useState<{ to: number } | null>(null)
  const done = useRef<typeof jump>(null)
  const focus = useEffectEvent(() => {
    const element = find()
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'nearest' })
  })
  useEffect(() => {
    if (jump?.to !== page || done.current === jump) return
    done.current = jump
    focus()
  }, [jump, page])
  return (to: number) => {
    setJump({ to })
  }
}

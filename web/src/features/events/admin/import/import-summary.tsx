import { useEffect, useRef } from 'react'
import type { ImportCounts, ImportResult } from '../../../../api/types'
import { SiteLink } from '../../../../components/links'
import { Button, buttonClass } from '../../../../components/ui/button'
import { Spinner } from '../../../../components/ui/loading'
import { countLabel } from '../../../../lib/text'
import styles from './import-summary.module.css'
import { useViewQueryString } from '../tab-view'

/** What becomes of the rows, in one sentence. */
export function countsSentence(counts: ImportCounts): string {
  const { create, drafts, update, skip, unchanged, leftOut, error } = counts
  const parts = [
    create > 0 &&
      `${countLabel(create, 'new event')}${drafts > 0 ? ` (${countLabel(drafts, 'draft')})` : ''}`,
    update > 0 && countLabel(update, 'update'),
    skip > 0 && `${countLabel(skip, 'row')} skipped`,
    unchanged > 0 && `${countLabel(unchanged, 'row')} unchanged`,
    leftOut > 0 && `${countLabel(leftOut, 'row')} left out`,
    error > 0 && countLabel(error, 'row with an error', 'rows with errors'),
  ].filter((part) => part !== false)
  return `${parts.join(', ')}.`
}

interface ImportSummaryProps {
  result: ImportResult
  isUndoing: boolean
  onUndo: () => void
  onAgain: () => void
}

/** What an import did, and its undo. */
export function ImportSummary({ result, isUndoing, onUndo, onAgain }: ImportSummaryProps) {
  const { counts, created, updated, speakers } = result
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useViewQueryString(null)
  const drafts =
    counts.drafts > 0 ? `, ${counts.drafts.toLocaleString('en-US')} of them as drafts` : ''
  const { skip, unchanged } = counts
  const leftOut = counts.leftOut + counts.error
  const canUndo = created.length > 0 || updated.length > 0

  useEffect(() => {
    heading.current?.focus()
  }, [])

  return (
    <section className={styles.root}>
      <h2 ref={heading} className={styles.title} tabIndex={-1}>
        The import is done
      </h2>
      <ul className={styles.list}>
        {created.length > 0 && (
          <li>
            {countLabel(created.length, 'event was created', 'events were created')}
            {drafts}.
          </li>
        )}
        {updated.length > 0 && (
          <li>{countLabel(updated.length, 'event was updated', 'events were updated')}.</li>
        )}
        {speakers.length > 0 && (
          <li>{countLabel(speakers.length, 'speaker was created', 'speakers were created')}.</li>
        )}
        {skip > 0 && <li>{countLabel(skip, 'row was skipped', 'rows were skipped')}.</li>}
        {unchanged > 0 && (
          <li>{countLabel(unchanged, 'row was unchanged', 'rows were unchanged')}.</li>
        )}
        {leftOut > 0 && <li>{countLabel(leftOut, 'row was left out', 'rows were left out')}.</li>}
      </ul>
      {canUndo && (
        <p className={styles.help}>
          {created.length > 0 &&
            'Undoing deletes the created events and speakers; the events can be restored for 30 days. '}
          {updated.length > 0 &&
            'Updated events become what they were before, which is possible for 24 hours, until one of them is changed again.'}
        </p>
      )}
      <div className={styles.actions}>
        {canUndo && (
          <Button
            aria-disabled={isUndoing}
            onClick={() => {
              if (!isUndoing) onUndo()
            }}
          >
            {isUndoing && <Spinner />}
            Undo Import
          </Button>
        )}
        <Button onClick={onAgain}>Import Another File</Button>
        <SiteLink className={buttonClass({ variant: 'primary' })} to={list}>
          Show Events
        </SiteLink>
      </div>
    </section>
  )
}

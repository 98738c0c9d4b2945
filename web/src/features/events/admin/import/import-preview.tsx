import { useId, useRef, useState } from 'react'
import type { ImportPreview, ImportRow } from '../../../../api/types'
import { SelectField } from '../../../../components/ui/field'
import { Icon } from '../../../../components/ui/icon'
import { classNames } from '../../../../lib/class-names'
import { clockLabel } from '../clock-label'
import { shortDateLabel } from '../event-card'
import { Pager, usePageFocus } from '../pager'
import { isStatus, statusLabels } from '../status-labels'
import styles from './import-preview.module.css'
import { countsSentence } from './import-summary'

/** Rows per page. */
const pageSize = 25

const filters = {
  all: 'All rows',
  error: 'Errors',
  create: 'New events',
  update: 'Updates',
  same: 'Skipped, unchanged and left out',
} as const
type Filter = keyof typeof filters

const actionLabels: Readonly<Record<ImportRow['action'], string>> = {
  create: 'New',
  update: 'Update',
  skip: 'Skipped',
  unchanged: 'Unchanged',
  leftOut: 'Left out',
  error: 'Error',
}

interface ImportPreviewListProps {
  preview: ImportPreview
  /** Whether a choice is being applied. */
  isUpdating: boolean
  /** The numbers of the rows that are left out, from 1. */
  leftOut: readonly number[]
  onLeaveOut: (rows: number[]) => void
}

/** What becomes of each row, with its errors. */
export function ImportPreviewList(props: ImportPreviewListProps) {
  const { preview, isUpdating, leftOut, onLeaveOut } = props
  const headingId = useId()
  const [filter, setFilter] = useState<Filter>('all')
  const [requested, setPage] = useState(1)
  const numbered = preview.rows.map((row, index) => ({ row, number: index + 1 }))
  const rows = numbered.filter(({ row: { action } }) =>
    filter === 'all'
      ? true
      : filter === 'same'
        ? action === 'skip' || action === 'unchanged' || action === 'leftOut'
        : action === filter,
  )
  const pages = Math.max(1, Math.ceil(rows.length / pageSize))
  const page = Math.min(requested, pages)
  const list = useRef<HTMLUListElement>(null)
  const focusRows = usePageFocus(page, () => list.current)

  return (
    <div className={styles.root} role="group" aria-labelledby={headingId}>
      <div className={styles.head}>
        <div>
          <h2 className={styles.title} id={headingId}>
            Preview
          </h2>
          <p className={styles.counts} role="status">
            {isUpdating ? 'Updating the preview...' : countsSentence(preview.counts)}
          </p>
        </div>
        <SelectField
          label="Show"
          value={filter}
          options={Object.entries(filters).map(([value, label]) => ({ value, label }))}
          onChange={(event) => {
            setFilter(event.target.value as Filter)
            setPage(1)
          }}
        />
      </div>
      {rows.length === 0 ? (
        <p className={styles.empty}>No rows.</p>
      ) : (
        <ul
          ref={list}
          className={styles.rows}
          aria-busy={isUpdating}
          aria-labelledby={headingId}
          tabIndex={-1}
        >
          {rows.slice((page - 1) * pageSize, page * pageSize).map(({ row, number }) => (
            <Row
              key={number}
              row={row}
              isLeftOut={leftOut.includes(number)}
              onLeaveOut={(isOut) => {
                onLeaveOut(
                  isOut ? [...leftOut, number] : leftOut.filter((other) => other !== number),
                )
              }}
            />
          ))}
        </ul>
      )}
      {pages > 1 && <Pager page={page} pages={pages} onPage={setPage} onJump={focusRows} />}
    </div>
  )
}

interface RowProps {
  row: ImportRow
  isLeftOut: boolean
  onLeaveOut: (isOut: boolean) => void
}

function Row({ row, isLeftOut, onLeaveOut }: RowProps) {
  const { line, action, title, date, time, timezone, status, errors, notes, changes } = row
  const isNew = action === 'create' && status !== 'published' && isStatus(status)
  return (
    <li className={styles.row}>
      <p className={styles.line}>
        {isLeftOut || action === 'create' || action === 'update' || action === 'error' ? (
          <label className={styles.choice}>
            <input
              type="checkbox"
              className={styles.box}
              aria-label={`Import line ${line}: ${title === '' ? 'No title' : title}`}
              checked={!isLeftOut}
              onChange={({ target }) => {
                onLeaveOut(!target.checked)
              }}
            />
            Line {line}
          </label>
        ) : (
          <>Line {line}</>
        )}
      </p>
      <p className={classNames(styles.action, styles[action])}>
        {actionLabels[action]}
        {isNew && `: ${statusLabels[status]}`}
      </p>
      <div className={styles.event}>
        <p className={styles.name}>{title === '' ? 'No title' : title}</p>
        <p className={styles.when}>
          {date === '' ? 'No date' : shortDateLabel(date)}
          {time !== '' && `, ${clockLabel({ date, time, timezone })}`}
        </p>
        {errors.map(({ column, message }) => (
          <p key={`${column ?? ''} ${message}`} className={styles.error}>
            <Icon name="alert" />
            <span>
              {column !== null && <b>{column}: </b>}
              {message}
            </span>
          </p>
        ))}
        {changes.map(({ field, before, after }) => (
          <p key={field} className={styles.note}>
            <b>{field}:</b> {before === '' ? 'blank' : before} → {after === '' ? 'blank' : after}
          </p>
        ))}
        {notes.map((note) => (
          <p key={note} className={styles.note}>
            {note}
          </p>
        ))}
      </div>
    </li>
  )
}

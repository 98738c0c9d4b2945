import { useQuery } from '@tanstack/react-query'
import { use, useId, useRef, useState } from 'react'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Alert } from '../../../components/ui/alert'
import { Button } from '../../../components/ui/button'
import { restoreFocus } from '../../../lib/restore-focus'
import { countLabel } from '../../../lib/text'
import { dateTimeLabel } from './activity'
import { BulkDeleteDialog } from './bulk-delete-dialog'
import { BulkEditDialog } from './bulk-edit-dialog'
import { recentBulkEditsQuery, useUndoBulkEdit } from './bulk-edit-api'
import type { ListedEvent } from './event-filter'
import { GroupsDialog } from './groups-dialog'
import { SelectionContext } from './selection'
import { seriesOf } from './series-field'
import styles from './selection.module.css'

interface SelectionBarProps {
  all: readonly ListedEvent[]
  /** Those that the search and the filters show. */
  matches: readonly ListedEvent[]
  /** Whether there is a search or a filter. */
  isSearching: boolean
}

/** Selects events by the filter, by series and by month, changes or deletes the selected ones and undoes that. */
export function SelectionBar({ all, matches, isSearching }: SelectionBarProps) {
  const selection = use(SelectionContext)
  const selectAll = useRef<HTMLInputElement>(null)
  const [opened, setOpened] = useState<'groups' | 'changes' | 'deletion' | null>(null)
  if (!selection) return null
  const { ids, toggle, clear, speakers } = selection
  // An event that was deleted since is no longer selected.
  const selected = all.filter(({ event }) => ids.has(event.id))
  const matchingIds = matches.map(({ event }) => event.id)
  const count = matchingIds.filter((id) => ids.has(id)).length
  const close = () => {
    setOpened(null)
  }

  return (
    <div className={styles.bar} role="group" aria-label="Several events">
      {matches.length > 0 && (
        <>
          <label className={styles.all}>
            <input
              type="checkbox"
              className={styles.box}
              ref={(box) => {
                selectAll.current = box
                if (box) box.indeterminate = count > 0 && count < matchingIds.length
              }}
              checked={count === matchingIds.length}
              onChange={({ target }) => {
                toggle(matchingIds, target.checked)
              }}
            />
            {isSearching
              ? `Select all ${matches.length.toLocaleString('en-US')} that match`
              : `Select all ${matches.length.toLocaleString('en-US')}`}
          </label>
          <Button
            variant="ghost"
            size="small"
            onClick={() => {
              setOpened('groups')
            }}
          >
            Select by Series or Month
          </Button>
        </>
      )}
      <RecentBulkEdits />
      <div className={styles.selected}>
        <p className={styles.count} role="status">
          {selected.length > 0 && `${countLabel(selected.length, 'event')} selected`}
        </p>
        {selected.length > 0 && (
          <>
            <Button
              variant="primary"
              size="small"
              onClick={() => {
                setOpened('changes')
              }}
            >
              Change {countLabel(selected.length, 'Event')}
            </Button>
            <Button
              size="small"
              onClick={() => {
                setOpened('deletion')
              }}
            >
              <AdminIcon name="delete" />
              Delete {countLabel(selected.length, 'Event')}
            </Button>
            <Button
              variant="ghost"
              size="small"
              onClick={() => {
                clear()
                // The button disappears.
                if (selectAll.current) selectAll.current.focus()
                else setTimeout(restoreFocus)
              }}
            >
              Clear Selection
            </Button>
          </>
        )}
      </div>
      {opened === 'groups' && (
        <GroupsDialog
          matches={matches}
          isSearching={isSearching}
          ids={ids}
          onToggle={toggle}
          onClose={close}
        />
      )}
      {opened === 'changes' && (
        <BulkEditDialog
          events={selected.map(({ event }) => event)}
          series={seriesOf(all.map(({ event }) => event))}
          speakers={speakers}
          onClose={close}
          onDone={() => {
            close()
            clear()
          }}
        />
      )}
      {opened === 'deletion' && (
        <BulkDeleteDialog
          events={selected.map(({ event }) => event)}
          onClose={close}
          onDone={() => {
            close()
            clear()
          }}
        />
      )}
    </div>
  )
}

/** The changes of several events that can be undone; loaded when it is opened. */
function RecentBulkEdits() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={styles.recent}
      open={isOpen}
      onToggle={(event) => {
        setIsOpen(event.currentTarget.open)
      }}
    >
      <summary className={styles.summary}>Undo a change</summary>
      {isOpen && <RecentList />}
    </details>
  )
}

const actions = { created: 'created', changed: 'changed', deleted: 'deleted', restored: 'restored' }

function RecentList() {
  const { data, isError, refetch } = useQuery(recentBulkEditsQuery())
  const { mutate: undo, isPending } = useUndoBulkEdit()
  const headingId = useId()
  const text = useRef<HTMLParagraphElement>(null)
  if (isError) return <Alert title="Unable to load the changes" onRetry={() => void refetch()} />
  return (
    <div className={styles.changes}>
      <p ref={text} className={styles.help} id={headingId} tabIndex={-1}>
        {data?.length === 0
          ? 'There is nothing to undo. Changes of several events can be undone for 24 hours, until one of the events is changed again.'
          : 'Each can be undone as a whole for 24 hours, until one of its events is changed again.'}
      </p>
      {data && data.length > 0 && (
        <ul className={styles.list} aria-labelledby={headingId}>
          {data.map((change) => (
            <li key={change.id} className={styles.change}>
              <span>
                {countLabel(change.count, 'event')} {actions[change.action]} by {change.who},{' '}
                <time dateTime={change.at}>{dateTimeLabel(change.at)}</time>
                <span className={styles.first}>
                  “{change.firstTitle}”{change.count > 1 && ` and ${change.count - 1} more`}
                </span>
              </span>
              <Button
                size="small"
                aria-label={`Undo: ${countLabel(change.count, 'event')} ${actions[change.action]}`}
                aria-disabled={isPending}
                onClick={() => {
                  if (isPending) return
                  undo(change.id)
                  // The button disappears with its row.
                  text.current?.focus()
                }}
              >
                Undo
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

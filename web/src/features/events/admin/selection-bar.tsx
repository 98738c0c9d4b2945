import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useId, useMemo, useRef, useState } from 'react'
import { readMessageOf } from '../../../api/forms'
import type { CalendarEvent, EventMatch } from '../../../api/types'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Alert } from '../../../components/ui/alert'
import { Button } from '../../../components/ui/button'
import { showError, showToast } from '../../../components/ui/toast-store'
import { restoreFocus } from '../../../lib/restore-focus'
import { countLabel } from '../../../lib/text'
import { dateTimeLabel } from './activity'
import { matchesQuery, readEvents, seriesNamesQuery } from './api'
import { BulkDeleteDialog, namesOf } from './bulk-delete-dialog'
import { BulkEditDialog } from './bulk-edit-dialog'
import { recentBulkEditsQuery, useUndoBulkEdit } from './bulk-edit-api'
import type { PortalFilter } from './event-filter'
import { GroupsDialog } from './groups-dialog'
import { type Selection, SelectionContext } from './selection'
import styles from './selection.module.css'

interface SelectionBarProps {
  filter: PortalFilter
  /** The number of events that match. */
  count: number
  /** Whether the filter excludes any events. */
  isFiltered: boolean
}

/** What is open, with what it was opened for. */
type Opened =
  | { dialog: 'groups'; matches: readonly EventMatch[] }
  | { dialog: 'changes' | 'deletion'; events: readonly CalendarEvent[] }

/** Selects events by the filter, by series and by month, changes or deletes the selected ones and undoes that. */
export function SelectionBar(props: SelectionBarProps) {
  const selection = use(SelectionContext)
  return selection && <Bar {...props} {...selection} />
}

function Bar(props: SelectionBarProps & Selection) {
  const { filter, count: matching, isFiltered, ids, toggle, clear, speakers } = props
  const queryClient = useQueryClient()
  const selectAll = useRef<HTMLInputElement>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  const { data: matches } = useQuery({ ...matchesQuery(filter), enabled: ids.size > 0 })
  const count = matches?.filter(({ id }) => ids.has(id)).length ?? 0
  const matchIds = useMemo(() => matches && new Set(matches.map(({ id }) => id)), [matches])
  /** Those of these events that the filter excludes, as far as that is known. */
  const unlistedOf = (selected: Iterable<number>) =>
    isFiltered && matchIds ? [...selected].filter((id) => !matchIds.has(id)) : []
  const unlisted = unlistedOf(ids)
  /** Whether all are about to be selected or not, while they load. */
  const [target, setTarget] = useState<boolean | null>(null)
  const series = useQuery({ ...seriesNamesQuery(), enabled: opened?.dialog === 'changes' })
  const toggleAll = useMutation({
    mutationFn: async (isSelected: boolean) => {
      const all = await queryClient.query(matchesQuery(filter))
      toggle(
        all.map(({ id }) => id),
        isSelected,
      )
    },
    networkMode: 'always',
    onError: (error) => {
      showError(readMessageOf(error, 'Failed to select the events'))
    },
    onSettled: () => {
      setTarget(null)
    },
  })
  /** Reads selected events. Those that were deleted in the meantime are no longer selected. */
  const readSelected = async (selected: readonly number[]) => {
    const events = await readEvents(selected)
    const existing = new Set(events.map(({ id }) => id))
    const deleted = selected.filter((id) => !existing.has(id))
    if (deleted.length > 0) toggle(deleted, false)
    if (events.length === 0) showError('The selected events were deleted in the meantime')
    return { events, deleted }
  }
  const open = useMutation({
    mutationFn: async (dialog: Opened['dialog']): Promise<Opened | null> => {
      if (dialog === 'groups') {
        return { dialog, matches: await queryClient.query(matchesQuery(filter)) }
      }
      // The dialog says how many of the events the filter excludes.
      if (isFiltered) await queryClient.query(matchesQuery(filter))
      const { events, deleted } = await readSelected([...ids])
      if (events.length === 0) return null
      if (deleted.length > 0) {
        showToast({ title: 'Events deleted', description: deletedCountSentence(deleted.length) })
      }
      return { dialog, events }
    },
    networkMode: 'always',
    onSuccess: (opened) => {
      setOpened(opened)
      // The bar disappears with the last of them.
      if (!opened) setTimeout(restoreFocus)
    },
    onError: (error) => {
      showError(readMessageOf(error, 'Failed to load the events'))
    },
  })
  /**
   * Loads the events of the open dialog again, after a conflict with another admin. Deleted ones are no longer selected;
   * returns a sentence that names them.
   */
  const reloadEvents = async (dialog: 'changes' | 'deletion', events: readonly CalendarEvent[]) => {
    const { events: current, deleted } = await readSelected(events.map(({ id }) => id))
    setOpened(current.length > 0 ? { dialog, events: current } : null)
    return deletionSentence(events.filter(({ id }) => deleted.includes(id)))
  }
  /** The attributes of a button that opens a dialog. */
  const opener = (dialog: Opened['dialog']) => ({
    size: 'small' as const,
    'aria-disabled': open.isPending,
    onClick: () => {
      if (!open.isPending) open.mutate(dialog)
    },
  })
  const close = () => {
    setOpened(null)
  }
  /** After the button that had the focus has disappeared. */
  const focusSelectAll = () => {
    if (selectAll.current) selectAll.current.focus()
    else setTimeout(restoreFocus)
  }

  return (
    <div className={styles.bar} role="group" aria-label="Several events">
      {matching > 0 && (
        <>
          <label className={styles.all}>
            <input
              type="checkbox"
              className={styles.box}
              ref={(box) => {
                selectAll.current = box
                if (box) box.indeterminate = target === null && count > 0 && count < matching
              }}
              checked={target ?? (matches !== undefined && count >= matching)}
              onChange={({ target: box }) => {
                setTarget(box.checked)
                toggleAll.mutate(box.checked)
              }}
            />
            {isFiltered
              ? `Select all ${matching.toLocaleString('en-US')} that match`
              : `Select all ${matching.toLocaleString('en-US')}`}
          </label>
          <Button variant="ghost" {...opener('groups')}>
            Select by Series or Month
          </Button>
        </>
      )}
      <RecentBulkEdits />
      <div className={styles.selected}>
        <p className={styles.count} role="status">
          {ids.size > 0 && selectedSentence(ids.size, unlisted.length)}
        </p>
        {unlisted.length > 0 && unlisted.length < ids.size && (
          <Button
            variant="ghost"
            size="small"
            onClick={() => {
              toggle(unlisted, false)
              focusSelectAll()
            }}
          >
            Deselect the {unlisted.length.toLocaleString('en-US')} Not in This List
          </Button>
        )}
        {ids.size > 0 && (
          <>
            <Button variant="primary" {...opener('changes')}>
              Change {countLabel(ids.size, 'Event')}
            </Button>
            <Button {...opener('deletion')}>
              <AdminIcon name="delete" />
              Delete {countLabel(ids.size, 'Event')}
            </Button>
            <Button
              variant="ghost"
              size="small"
              onClick={() => {
                clear()
                focusSelectAll()
              }}
            >
              Clear Selection
            </Button>
          </>
        )}
      </div>
      {opened?.dialog === 'groups' && (
        <GroupsDialog
          matches={opened.matches}
          isFiltered={isFiltered}
          ids={ids}
          onToggle={toggle}
          onClose={close}
        />
      )}
      {opened?.dialog === 'changes' && (
        <BulkEditDialog
          events={opened.events}
          unlisted={unlistedOf(opened.events.map(({ id }) => id)).length}
          series={series.data ?? []}
          speakers={speakers}
          reloadEvents={() => reloadEvents('changes', opened.events)}
          onClose={close}
          onDone={() => {
            close()
            clear()
          }}
        />
      )}
      {opened?.dialog === 'deletion' && (
        <BulkDeleteDialog
          events={opened.events}
          unlisted={unlistedOf(opened.events.map(({ id }) => id)).length}
          reloadEvents={() => reloadEvents('deletion', opened.events)}
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

/** `53 events selected, 48 of them not in this list` */
function selectedSentence(count: number, unlisted: number): string {
  const sentence = `${countLabel(count, 'event')} selected`
  if (unlisted === 0) return sentence
  if (unlisted === count) return `${sentence}, not in this list`
  return `${sentence}, ${unlisted.toLocaleString('en-US')} of them not in this list`
}

/** `“Rent rolls” on Mar 10, 2026 was deleted in the meantime and is no longer selected.` */
function deletionSentence(deleted: readonly CalendarEvent[]): string | undefined {
  if (deleted.length === 0) return undefined
  const verbs = deleted.length === 1 ? ['was', 'is'] : ['were', 'are']
  return `${namesOf(deleted)} ${verbs[0]} deleted in the meantime and ${verbs[1]} no longer selected.`
}

/** The same about events of which only the number is known. */
const deletedCountSentence = (count: number) =>
  count === 1
    ? 'One of the selected events was deleted in the meantime and is no longer selected.'
    : `${count} of the selected events were deleted in the meantime and are no longer selected.`

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
                  undo({ id: change.id, isCreation: change.action === 'created' })
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

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, useIdempotencyKey } from '../../../api/forms'
import type { BulkEdit, CalendarEvent } from '../../../api/types'
import { Alert } from '../../../components/ui/alert'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog'
import { showToast } from '../../../components/ui/toast-store'
import { countLabel } from '../../../lib/text'
import { useEventsCache } from './api'
import { afterConflict, saveBulkEdit, toastWithUndo, useUndoBulkEdit } from './bulk-edit-api'
import { shortDateLabel } from './event-card'

/** How many events a sentence names. */
const maxNamed = 5

/** `“Rent rolls” on Mar 10, 2026, “Rent rolls” on Mar 17, 2026 and 3 more` */
export function namesOf(events: readonly CalendarEvent[]): string {
  const names = events
    .slice(0, maxNamed)
    .map(({ title, date }) => `“${title}”${date && ` on ${shortDateLabel(date)}`}`)
    .join(', ')
  return events.length > maxNamed ? `${names} and ${events.length - maxNamed} more` : names
}

/** `48 of these events do not match the filter and are not in the list.` */
export function unlistedSentence(unlisted: number, count: number): string {
  const [subject, isOne] =
    unlisted < count
      ? [`${unlisted.toLocaleString('en-US')} of these events`, unlisted === 1]
      : [count === 1 ? 'This event' : 'These events', count === 1]
  return isOne
    ? `${subject} does not match the filter and is not in the list.`
    : `${subject} do not match the filter and are not in the list.`
}

interface BulkDeleteDialogProps {
  /** The selected events. */
  events: readonly CalendarEvent[]
  /** How many of them the filter of the list excludes. */
  unlisted: number
  /** Loads them again, without deleted ones; returns a sentence that names those. */
  reloadEvents: () => Promise<string | undefined>
  onClose: () => void
  onDone: () => void
}

/** Deletes several events in one step with one undo, after a question that names them. */
export function BulkDeleteDialog(props: BulkDeleteDialogProps) {
  const { events, unlisted, reloadEvents, onClose, onDone } = props
  const cache = useEventsCache()
  const keyOf = useIdempotencyKey()
  const { mutate: undo } = useUndoBulkEdit()
  const [problem, setProblem] = useState<string>()
  const subject = countLabel(events.length, 'Event')
  const deletion = useMutation({
    mutationFn: () => {
      const request: BulkEdit = {
        events: events.map(({ id, revision }) => ({ id, revision })),
        changes: { delete: true },
      }
      return saveBulkEdit(request, keyOf(request))
    },
    networkMode: 'always',
    onSuccess: ({ id, count }) => {
      showToast(
        toastWithUndo(`${countLabel(count, 'event')} deleted successfully`, () => {
          undo({ id })
        }),
      )
      void cache.refresh()
      onDone()
    },
    onError: async (error) => {
      const deleted = await afterConflict(error, reloadEvents)
      setProblem(deleted ?? messageOf(error, 'Failed to delete the events'))
      // Others have changed or deleted some of them.
      void cache.refresh()
    },
  })

  return (
    <ConfirmDialog
      title={`Delete ${subject}`}
      confirm={`Delete ${subject}`}
      isBusy={deletion.isPending}
      onConfirm={() => {
        setProblem(undefined)
        deletion.mutate()
      }}
      onCancel={onClose}
    >
      {problem !== undefined && <Alert title={problem} />}
      <p>Are you sure you want to delete {namesOf(events)}?</p>
      {unlisted > 0 && <p>{unlistedSentence(unlisted, events.length)}</p>}
      <p>You can undo it at once, or restore deleted events for 30 days under Recently deleted.</p>
    </ConfirmDialog>
  )
}

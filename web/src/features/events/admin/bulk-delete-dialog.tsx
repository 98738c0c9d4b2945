import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, useIdempotencyKey } from '../../../api/forms'
import type { BulkEdit, CalendarEvent } from '../../../api/types'
import { Alert } from '../../../components/ui/alert'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog'
import { showToast } from '../../../components/ui/toast-store'
import { countLabel } from '../../../lib/text'
import { useEventsCache } from './api'
import { saveBulkEdit, toastWithUndo, useUndoBulkEdit } from './bulk-edit-api'
import { shortDateLabel } from './event-card'

/** The events that the question names. */
const maxNamed = 5

interface BulkDeleteDialogProps {
  /** The selected events. */
  events: readonly CalendarEvent[]
  onClose: () => void
  onDone: () => void
}

/** Deletes several events in one step with one undo, after a question that names them. */
export function BulkDeleteDialog({ events, onClose, onDone }: BulkDeleteDialogProps) {
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
          undo(id)
        }),
      )
      void cache.refresh()
      onDone()
    },
    onError: (error) => {
      setProblem(messageOf(error, 'Failed to delete the events'))
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
      <p>
        Are you sure you want to delete{' '}
        {events
          .slice(0, maxNamed)
          .map(({ title, date }) => `“${title}”${date && ` on ${shortDateLabel(date)}`}`)
          .join(', ')}
        {events.length > maxNamed && ` and ${events.length - maxNamed} more`}?
      </p>
      <p>You can undo it at once, or restore deleted events for 30 days under Recently deleted.</p>
    </ConfirmDialog>
  )
}

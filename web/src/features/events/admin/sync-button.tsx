import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../api/forms'
import type { SyncResult } from '../../../api/types'
import { AdminIcon } from '../../../components/ui/admin-icon'
import { Button } from '../../../components/ui/button'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog'
import { Spinner } from '../../../components/ui/loading'
import { showError, showToast } from '../../../components/ui/toast-store'
import { syncBrandlive, useEventsCache } from './api'

/** How long a toast with notes is shown, in milliseconds. */
const noteDuration = 10_000
/** More ids do not fit into a toast. */
const maxFailedIds = 5

/** Syncs the events with the provider and reports the result (spec §2, §8). */
export function SyncButton() {
  const cache = useEventsCache()
  const [pendingRemovals, setPendingRemovals] = useState<SyncResult['pendingRemovals']>([])
  const { mutate, isPending } = useMutation({
    mutationFn: syncBrandlive,
    networkMode: 'always',
    onSuccess: (result) => {
      if (result) reportResult(result)
      setPendingRemovals(result?.pendingRemovals ?? [])
      void cache.refresh()
    },
    onError: (error) => {
      setPendingRemovals([])
      showError(messageOf(error, 'Failed to sync events'))
    },
  })
  return (
    <>
      <Button
        size="small"
        aria-disabled={isPending}
        onClick={() => {
          if (!isPending) mutate({ acceptRemovals: false })
        }}
      >
        {isPending ? <Spinner /> : <AdminIcon name="sync" />}
        {isPending ? 'Syncing Brandlive Events...' : 'Sync Brandlive Events'}
      </Button>
      {pendingRemovals.length > 0 && (
        <ConfirmDialog
          title="Confirm Removals"
          confirm="Hide Events"
          isBusy={isPending}
          onCancel={() => {
            setPendingRemovals([])
          }}
          onConfirm={() => {
            mutate({ acceptRemovals: true })
          }}
        >
          <p>
            Brandlive cancelled or no longer lists many of the upcoming events. Everything else was
            synced. Hide these events from visitors?
          </p>
          <ul>
            {pendingRemovals.map(({ id, title }) => (
              <li key={id}>{title}</li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
    </>
  )
}

function reportResult({ message, failed, pendingRemovals, problem, notes: allNotes }: SyncResult) {
  // The dialog says more about pending removals.
  const notes = pendingRemovals.length > 0 ? [] : allNotes
  const remaining = notes.length > 0 && { remaining: noteDuration }
  if (failed.length === 0 && !problem) {
    showToast({ title: 'Success', description: [message, ...notes].join('. '), ...remaining })
    return
  }
  const named = failed.slice(0, maxFailedIds).map(({ id, reason }) => id ?? reason)
  const rest = failed.length - named.length
  const notSynced = [...named, ...(rest > 0 ? [`${String(rest)} more`] : [])].join(', ')
  showToast({
    title: 'Error',
    description: [
      message,
      ...(notSynced ? [`Not synced: ${notSynced}`] : []),
      ...(problem ? [problem] : []),
      ...notes,
    ].join('. '),
    variant: 'destructive',
    ...remaining,
  })
}

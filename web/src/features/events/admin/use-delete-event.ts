import { useMutation } from '@tanstack/react-query'
import { createElement } from 'react'
import { ApiError } from '../../../api/client'
import { messageOf } from '../../../api/forms'
import type { CalendarEvent } from '../../../api/types'
import { ToastAction } from '../../../components/ui/toast-action'
import { showError, showToast } from '../../../components/ui/toast-store'
import { deleteEvent, restoreEvent, useEventsCache } from './api'

/** Restores a deleted event and reports the result. */
export function useRestoreEvent(onRestored: (id: number) => void) {
  const cache = useEventsCache()
  return useMutation({
    mutationFn: (event: CalendarEvent) => restoreEvent(event.id),
    networkMode: 'always',
    onSuccess: (restored, { id }) => {
      const isWithoutSpeakers = restored?.speakers.length === 0
      const rest = isWithoutSpeakers ? '. Its speakers were deleted since then: add others.' : ''
      showToast({ title: 'Success', description: `Event restored successfully${rest}` })
      onRestored(id)
      void cache.put(restored ? [restored] : [])
    },
    onError: (error, { title }) => {
      const isGone = error instanceof ApiError && error.status === 404
      if (isGone) void cache.refresh()
      showError(
        isGone
          ? `“${title}” was restored or deleted for good in the meantime`
          : messageOf(error, 'Failed to restore event'),
      )
    },
  })
}

/** Deletes an event and offers to undo it while the toast is shown, because confirmations are clicked away. */
export function useDeleteEvent(on: { deleted: () => void; restored: (id: number) => void }) {
  const cache = useEventsCache()
  const { mutate: restore } = useRestoreEvent(on.restored)

  return useMutation({
    mutationFn: (event: CalendarEvent) => deleteEvent(event.id),
    networkMode: 'always',
    onSuccess: (_, event) => {
      showToast({
        title: 'Success',
        description: 'Event deleted successfully',
        action: createElement(ToastAction, {
          label: 'Undo',
          run: () => {
            restore(event)
          },
        }),
      })
      void cache.remove(event.id)
      on.deleted()
    },
    onError: (error, event) => {
      // Another admin deleted it first.
      if (error instanceof ApiError && error.status === 404) void cache.remove(event.id)
      showError(messageOf(error, 'Failed to delete event'))
    },
  })
}

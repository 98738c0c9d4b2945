import { queryOptions, useMutation } from '@tanstack/react-query'
import { createElement } from 'react'
import { ApiError, readJson, writeJson } from '../../../api/client'
import { createJson, messageOf } from '../../../api/forms'
import type {
  AppliedChanges,
  ChangeEvents,
  PlannedChange,
  RecentChange,
  RepeatDates,
  RepeatedEvents,
  RepeatRule,
  SaveEvent,
  UndoneChanges,
} from '../../../api/types'
import { ToastAction } from '../../../components/ui/toast-action'
import { showError, showToast } from '../../../components/ui/toast-store'
import { eventsKey } from '../api'
import { useEventsCache } from './api'

const changes = '/api/events/changes'

/** `1 event`, `12 events` */
export const countLabel = (count: number) => (count === 1 ? '1 event' : `${count} events`)

/** `1 Event`, `12 Events`, on buttons and in headings. */
export const countTitle = (count: number) => (count === 1 ? '1 Event' : `${count} Events`)

/** What a change would do to each of its events. */
export async function previewChanges(body: ChangeEvents): Promise<readonly PlannedChange[]> {
  const preview = await writeJson<{ events: PlannedChange[] }>('POST', `${changes}/preview`, body)
  if (!preview) throw new ApiError('Unknown error', 204)
  return preview.events
}

/** Changes several events, all or none. */
export const applyChanges = (body: ChangeEvents, key: string) =>
  createJson<AppliedChanges>(changes, body, key)

/** The changes of the last 24 hours that can be undone, newest first. */
export const recentChangesQuery = () =>
  queryOptions({
    queryKey: [...eventsKey, 'changes'],
    queryFn: ({ signal }) => readJson<RecentChange[]>(changes, { signal }),
    staleTime: 0,
    networkMode: 'always',
  })

/** The dates of a rule. */
export const repeatDatesQuery = (rule: RepeatRule) =>
  queryOptions({
    queryKey: ['repeat-dates', rule],
    queryFn: async () => {
      const dates = await writeJson<RepeatDates>('POST', '/api/events/repeats/dates', rule)
      if (!dates) throw new ApiError('Unknown error', 204)
      return dates
    },
    staleTime: Infinity,
    networkMode: 'always',
  })

/** Creates an event on several dates, all or none. */
export const createRepeats = (body: SaveEvent & { dates: readonly string[] }, key: string) =>
  createJson<RepeatedEvents>('/api/events/repeats', body, key)

/** Undoes a change of several events and reports the result. */
export function useUndoChange() {
  const cache = useEventsCache()
  return useMutation({
    mutationFn: (id: number) => writeJson<UndoneChanges>('POST', `${changes}/${id}/undo`),
    networkMode: 'always',
    onSuccess: (undone) => {
      showToast({
        title: 'Success',
        description: `The change of ${countLabel(undone?.count ?? 0)} was undone`,
      })
      void cache.refresh()
    },
    onError: (error) => {
      showError(messageOf(error, 'Failed to undo the change'))
      void cache.refresh()
    },
  })
}

/** The toast after a change of several events, with its undo. */
export function toastWithUndo(description: string, undo: () => void) {
  return {
    title: 'Success',
    description,
    action: createElement(ToastAction, { label: 'Undo', run: undo }),
  }
}

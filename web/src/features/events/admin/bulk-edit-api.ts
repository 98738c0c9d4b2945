import { queryOptions, useMutation } from '@tanstack/react-query'
import { createElement } from 'react'
import { ApiError, readJson, writeJson } from '../../../api/client'
import { createJson, messageOf, useCreateOnce } from '../../../api/forms'
import type {
  AppliedBulkEdit,
  BulkEdit,
  PlannedEdit,
  RecentBulkEdit,
  RepeatDates,
  RepeatedEvents,
  RepeatRule,
  SaveEvent,
  UndoneBulkEdit,
} from '../../../api/types'
import { ToastAction } from '../../../components/ui/toast-action'
import { showError, showToast } from '../../../components/ui/toast-store'
import { countLabel } from '../../../lib/text'
import { eventsKey } from '../api'
import { readEvents, useEventsCache } from './api'

const bulkEdits = '/api/events/bulk-edits'

/** What a bulk edit would do to each of its events. */
export async function previewBulkEdit(body: BulkEdit): Promise<readonly PlannedEdit[]> {
  const preview = await writeJson<{ events: PlannedEdit[] }>('POST', `${bulkEdits}/preview`, body)
  if (!preview) throw new ApiError('Unknown error', 204)
  return preview.events
}

/** Changes several events, all or none. */
export const saveBulkEdit = (body: BulkEdit, key: string) =>
  createJson<AppliedBulkEdit>(bulkEdits, body, key)

/** The result of `reload` if a bulk edit failed because another admin changed or deleted some of its events. */
export const afterConflict = (error: unknown, reload: () => Promise<string | undefined>) =>
  error instanceof ApiError && error.status === 409 ? reload().catch(() => undefined) : undefined

/** The bulk edits of the last 24 hours that can be undone, newest first. */
export const recentBulkEditsQuery = () =>
  queryOptions({
    queryKey: [...eventsKey, 'bulk-edits'],
    queryFn: ({ signal }) => readJson<RecentBulkEdit[]>(bulkEdits, { signal }),
    staleTime: 0,
    networkMode: 'always',
  })

/** Loads the dates of a rule. */
export async function fetchRepeatDates(rule: RepeatRule): Promise<RepeatDates> {
  const dates = await writeJson<RepeatDates>('POST', '/api/events/repeats/dates', rule)
  if (!dates) throw new ApiError('Unknown error', 204)
  return dates
}

/** The dates of a rule, until it changes. */
export const repeatDatesQuery = (rule: RepeatRule) =>
  queryOptions({
    queryKey: ['repeat-dates', rule],
    queryFn: () => fetchRepeatDates(rule),
    staleTime: Infinity,
    networkMode: 'always',
  })

const undoBulkEdit = (id: number) => writeJson<UndoneBulkEdit>('POST', `${bulkEdits}/${id}/undo`)

/**
 * Returns the function with which a form creates an event on several dates, all or none, and one that
 * undoes what a lost attempt created.
 */
export function useCreateRepeats() {
  const { create, removeLost } = useCreateOnce<RepeatedEvents>(
    '/api/events/repeats',
    async (earlier) => {
      // With other content, the dates may be others.
      await undoRepeats(earlier)
      return undefined
    },
  )
  return {
    create: (body: SaveEvent & { dates: readonly string[] }) => create(body),
    undoLost: () => removeLost(undoRepeats),
  }
}

async function undoRepeats({ id, events }: RepeatedEvents): Promise<void> {
  await undoBulkEdit(id).catch(async (cause: unknown) => {
    // It may have been undone already.
    if ((await readEvents(events.map((event) => event.id))).length > 0) throw cause
  })
}

/** A bulk edit to undo. */
interface UndoneEdit {
  id: number
  /** Whether it created its events, which are removed. */
  isCreation?: boolean
}

/** Undoes a bulk edit and reports the result. */
export function useUndoBulkEdit() {
  const cache = useEventsCache()
  return useMutation({
    mutationFn: ({ id }: UndoneEdit) => undoBulkEdit(id),
    networkMode: 'always',
    onSuccess: (undone, { isCreation = false }) => {
      const count = undone?.count ?? 0
      showToast({
        title: 'Success',
        description: isCreation
          ? countLabel(count, 'new event was removed', 'new events were removed')
          : `The change of ${countLabel(count, 'event')} was undone`,
      })
      void cache.refresh()
    },
    onError: (error) => {
      showError(messageOf(error, 'Failed to undo the change'))
      void cache.refresh()
    },
  })
}

/** The toast after a bulk edit, with its undo. */
export function toastWithUndo(description: string, undo: () => void) {
  return {
    title: 'Success',
    description,
    action: createElement(ToastAction, { label: 'Undo', run: undo }),
  }
}

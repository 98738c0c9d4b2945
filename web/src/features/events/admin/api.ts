import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { ApiError, readJson, writeJson } from '../../../api/client'
import { createJson } from '../../../api/forms'
import type {
  ActivityEntry,
  CalendarEvent,
  DeletedEvent,
  EventSync,
  PreviewLink,
  RenderedDescription,
  SaveEvent,
  SyncRequest,
  SyncResult,
} from '../../../api/types'
import { allEventsQuery, eventsKey } from '../api'
import { isPublic, statusOf } from './status-labels'

const path = (id: number, rest = '') => `/api/events/${id}${rest}`

/** The events that visitors don't see: drafts, scheduled and hidden ones. */
export const unpublishedEventsQuery = () =>
  queryOptions({
    queryKey: [...eventsKey, 'unpublished'],
    queryFn: ({ signal }) => readJson<CalendarEvent[]>('/api/events/unpublished', { signal }),
  })

/** The events that were deleted in the last 30 days, the latest deletion first. */
export const deletedEventsQuery = () =>
  queryOptions({
    queryKey: [...eventsKey, 'deleted'],
    queryFn: ({ signal }) => readJson<DeletedEvent[]>('/api/events/deleted', { signal }),
    staleTime: 0,
    networkMode: 'always',
  })

/** An event's activity, newest first; fetched again whenever it is opened. */
export const activityQuery = (id: number) =>
  queryOptions({
    queryKey: [...eventsKey, 'activity', id],
    queryFn: ({ signal }) => readJson<ActivityEntry[]>(path(id, '/activity'), { signal }),
    staleTime: 0,
  })

/** The provider's values of a synced event, and which fields are overridden locally. */
export const eventSyncQuery = (id: number) =>
  queryOptions({
    queryKey: [...eventsKey, 'sync', id],
    queryFn: ({ signal }) => readJson<EventSync>(path(id, '/sync'), { signal }),
    staleTime: 0,
  })

/** Creates an event. */
export const createEvent = (body: SaveEvent, key: string) =>
  createJson<CalendarEvent>('/api/events', body, key)

/** Changes an event. */
export async function updateEvent(id: number, body: SaveEvent): Promise<CalendarEvent> {
  const saved = await writeJson<CalendarEvent>('PUT', path(id), body)
  if (!saved) throw new ApiError('Unknown error', 204)
  return saved
}

/** A description with Markdown as HTML that the server has sanitized. */
export const renderedDescriptionQuery = (description: string) =>
  queryOptions({
    queryKey: ['rendered-description', description],
    queryFn: async () => {
      const body = { description }
      const rendered = await writeJson<RenderedDescription>('POST', '/api/events/description', body)
      return rendered?.html ?? ''
    },
    networkMode: 'always',
    gcTime: 60_000,
  })

/** The secret link to an event's preview; it is created with the first request. */
export async function createPreviewLink(id: number): Promise<PreviewLink> {
  const link = await writeJson<PreviewLink>('POST', path(id, '/preview-link'))
  if (!link) throw new ApiError('Unknown error', 204)
  return link
}

/** Makes an event's preview link invalid. */
export const deletePreviewLink = (id: number) => writeJson('DELETE', path(id, '/preview-link'))

/** Deletes an event. */
export const deleteEvent = (id: number) => writeJson('DELETE', path(id))

/** Restores a deleted event. */
export const restoreEvent = (id: number) => writeJson<CalendarEvent>('POST', path(id, '/restore'))

/** Imports events from the provider; the response has a summary. */
export const syncBrandlive = (body: SyncRequest) =>
  writeJson<SyncResult>('POST', '/api/sync-brandlive', body)

/** Updates the cached lists of events after a change. */
export function useEventsCache() {
  const queryClient = useQueryClient()
  const remove = (ids: ReadonlySet<number>) => {
    for (const { queryKey } of [allEventsQuery(), unpublishedEventsQuery()]) {
      queryClient.setQueryData(queryKey, (events) => events?.filter(({ id }) => !ids.has(id)))
    }
  }
  return {
    /** Shows these saved events at once, then refetches the lists. */
    put: (saved: readonly CalendarEvent[]) => {
      const ids = new Set(saved.map(({ id }) => id))
      remove(ids)
      const isListed = (event: CalendarEvent) => isPublic(statusOf(event, Date.now()))
      queryClient.setQueryData(
        allEventsQuery().queryKey,
        (events) => events && [...events, ...saved.filter(isListed)],
      )
      queryClient.setQueryData(
        unpublishedEventsQuery().queryKey,
        (events) => events && [...events, ...saved.filter((event) => !isListed(event))],
      )
      queryClient.setQueryData(deletedEventsQuery().queryKey, (deleted) =>
        deleted?.filter(({ event }) => !ids.has(event.id)),
      )
      return queryClient.invalidateQueries({ queryKey: eventsKey })
    },
    /** Removes an event from the lists at once, then refetches them. */
    remove: (id: number) => {
      remove(new Set([id]))
      return queryClient.invalidateQueries({ queryKey: eventsKey })
    },
    /** Refetches everything about events. */
    refresh: () => queryClient.invalidateQueries({ queryKey: eventsKey }),
  }
}

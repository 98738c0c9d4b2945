import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { ApiError, readJson, writeJson } from '../../../api/client'
import { changeAt, undefinedIf, useCreateOnce } from '../../../api/forms'
import { limits } from '../../../api/generated/validation'
import type {
  ActivityEntry,
  AttendanceCount,
  CalendarEvent,
  DeletedEvent,
  EventMatch,
  EventPage,
  EventSync,
  PreviewLink,
  RenderedDescription,
  SaveEvent,
  SyncRequest,
  SyncResult,
} from '../../../api/types'
import { eventsKey } from '../api'
import { isInPerson } from '../event-presentation'
import type { PortalFilter, Sort } from './event-filter'

const path = (id: number, rest = '') => `/api/events/${id}${rest}`

const listKey = [...eventsKey, 'list'] as const
const pageKey = [...listKey, 'page'] as const
const eventKey = [...listKey, 'event'] as const
/** Not below the key of the events: a save rarely changes these names. */
const namesKey = ['event-names'] as const

/** How long the list stays in the cache while a form is open, in milliseconds. */
const listLifetime = 60 * 60_000

/** Which page of the list to read. */
export interface PageRequest {
  sort: Sort
  /** From 1. */
  page: number
  /** Events per page. */
  size: number
}

/** How many plan to attend, by event. */
export type AttendanceCounts = ReadonlyMap<number, number>

/** A page of the list. */
export interface ListPage extends EventPage {
  /** Of the in-person events; undefined if it could not be loaded. */
  attendance: AttendanceCounts | undefined
}

function parametersOf({ text, type, status, month }: PortalFilter, others: object = {}): string {
  const values = { q: text.trim(), type, when: status, month, ...others }
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== '')
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
}

async function readPage(parameters: string, signal?: AbortSignal): Promise<ListPage> {
  const options = signal && { signal }
  const page = await readJson<EventPage>(`/api/events/portal?${parameters}`, options)
  const inPerson = page.events.filter(({ type }) => isInPerson(type)).map(({ id }) => id)
  if (inPerson.length === 0) return { ...page, attendance: new Map() }
  // The list is of use without the counts.
  const counts = await readJson<AttendanceCount[]>(
    `/api/attendance?events=${inPerson.join(',')}`,
    options,
  ).catch(() => undefined)
  return { ...page, attendance: counts && new Map(counts.map((one) => [one.eventId, one.count])) }
}

/** A page of the events that match, of every status. */
export const eventPageQuery = (filter: PortalFilter, request: PageRequest) =>
  queryOptions({
    queryKey: [...pageKey, filter, request],
    queryFn: ({ signal }) => readPage(parametersOf(filter, request), signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: listLifetime,
    networkMode: 'always',
  })

/** The page with an event; `isFound` is false if it does not match. */
export const readPageOf = (event: number, filter: PortalFilter, { sort, size }: PageRequest) =>
  readPage(parametersOf(filter, { sort, size, event }))

/** All events that match, with what they can be selected by. */
export const matchesQuery = (filter: PortalFilter) =>
  queryOptions({
    queryKey: [...listKey, 'matches', filter],
    queryFn: ({ signal }) =>
      readJson<EventMatch[]>(`/api/events/portal/matches?${parametersOf(filter)}`, { signal }),
    networkMode: 'always',
  })

/** Loads the events with these ids, of every status, in this order; those that do not exist are left out. */
export async function readEvents(ids: readonly number[]): Promise<CalendarEvent[]> {
  const parts = Array.from(
    { length: Math.ceil(ids.length / limits.eventsPerResponse) },
    (_, index) =>
      ids.slice(index * limits.eventsPerResponse, (index + 1) * limits.eventsPerResponse),
  )
  const events = parts.map((part) =>
    readJson<CalendarEvent[]>(`/api/events/portal/events?ids=${part.join(',')}`),
  )
  return (await Promise.all(events)).flat()
}

/** The event with this id, of any status; null if it does not exist. */
export const eventQuery = (id: number) =>
  queryOptions({
    queryKey: [...eventKey, id],
    queryFn: async () => (await readEvents([id]))[0] ?? null,
    networkMode: 'always',
  })

/** When some speakers speak. */
export interface SpeakingTime {
  /** In milliseconds. */
  startsAt: number
  minutes: number
  speakerIds: readonly number[]
}

/** The events in which some of these speakers speak at the same time. */
export const overlapsQuery = ({ startsAt, minutes, speakerIds }: SpeakingTime) =>
  queryOptions({
    queryKey: [...listKey, 'overlaps', startsAt, minutes, speakerIds],
    queryFn: ({ signal }) => {
      const start = new Date(startsAt).toISOString().replace(/\.\d+/, '')
      const query = `startsAt=${start}&minutes=${minutes}&speakers=${speakerIds.join(',')}`
      return readJson<CalendarEvent[]>(`/api/events/overlaps?${query}`, { signal })
    },
    placeholderData: keepPreviousData,
  })

/** The months that have events, as `2026-03`. */
export const monthsQuery = () =>
  queryOptions({
    queryKey: [...namesKey, 'months'],
    queryFn: ({ signal }) => readJson<string[]>('/api/events/months', { signal }),
    networkMode: 'always',
  })

/** The names of the series that events are in. */
export const seriesNamesQuery = () =>
  queryOptions({
    queryKey: [...namesKey, 'series'],
    queryFn: ({ signal }) => readJson<string[]>('/api/events/series', { signal }),
    networkMode: 'always',
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

/** Returns the function with which a form creates an event, and those for an attempt whose response was lost. */
export function useCreateEvent() {
  const { create, resume, removeLost } = useCreateOnce<CalendarEvent>(
    '/api/events',
    changeAt('/api/events'),
  )
  return {
    create: (body: SaveEvent) => create(body),
    resume,
    deleteLost: () =>
      // It may have been deleted since.
      removeLost(({ id }) => writeJson('DELETE', path(id)).catch(undefinedIf([404, 410]))),
  }
}

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

/** Syncs the events with the provider; the response has a summary. */
export const syncBrandlive = (body: SyncRequest) =>
  writeJson<SyncResult>('POST', '/api/sync-brandlive', body)

/** Updates what is cached of the events after a change. */
export function useEventsCache() {
  const queryClient = useQueryClient()
  const changeEvents = (change: (events: readonly CalendarEvent[]) => CalendarEvent[]) => {
    queryClient.setQueriesData<ListPage>(
      { queryKey: pageKey },
      (page) => page && { ...page, events: change(page.events) },
    )
  }
  const refetch = () => {
    // The form opens with the version of the list.
    queryClient.removeQueries({ queryKey: eventKey, type: 'inactive' })
    return queryClient.invalidateQueries({ queryKey: eventsKey })
  }
  const refetchNames = () => queryClient.invalidateQueries({ queryKey: namesKey })
  return {
    /** Shows these saved events at once where the list has them, then refetches what is shown. */
    put: (saved: readonly CalendarEvent[]) => {
      const byId = new Map(saved.map((event) => [event.id, event]))
      changeEvents((events) => events.map((event) => byId.get(event.id) ?? event))
      for (const event of saved) queryClient.setQueryData(eventQuery(event.id).queryKey, event)
      queryClient.setQueryData(deletedEventsQuery().queryKey, (deleted) =>
        deleted?.filter(({ event }) => !byId.has(event.id)),
      )
      const months = queryClient.getQueryData(monthsQuery().queryKey) ?? []
      const series = queryClient.getQueryData(seriesNamesQuery().queryKey) ?? []
      const isKnown = (event: CalendarEvent) =>
        (event.date === '' || months.includes(event.date.slice(0, 7))) &&
        (event.series === null || series.includes(event.series))
      if (!saved.every(isKnown)) void refetchNames()
      return refetch()
    },
    /** Removes an event from the list at once, then refetches what is shown. */
    remove: (id: number) => {
      changeEvents((events) => events.filter((event) => event.id !== id))
      void refetchNames()
      return refetch()
    },
    /** Refetches everything about events. */
    refresh: () => {
      void refetchNames()
      return refetch()
    },
  }
}

/** The event with this id in the list, as far as it was loaded. */
export function useListedEvent(id: number | null): CalendarEvent | undefined {
  const queryClient = useQueryClient()
  const pages = queryClient.getQueriesData<ListPage>({ queryKey: pageKey })
  return pages.flatMap(([, page]) => page?.events ?? []).find((event) => event.id === id)
}

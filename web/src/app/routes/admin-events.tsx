import { queryOptions, useQuery } from '@tanstack/react-query'
import { readJson } from '../../api/client'
import type { Speaker } from '../../api/types'
import { EventsTab } from '../../features/events/admin/events-tab'
import { useSite } from '../first-data'

const speakersQuery = () =>
  queryOptions({
    queryKey: ['speakers'],
    queryFn: ({ signal }) => readJson<readonly Speaker[]>('/api/speakers', { signal }),
  })

/** The Events tab with the speakers that its form chooses from. */
export function AdminEvents() {
  const { baseUrl } = useSite()
  const { data, isError, isFetching, refetch } = useQuery(speakersQuery())
  return (
    <EventsTab
      siteUrl={baseUrl}
      speakers={{ all: data, hasFailed: isError && !isFetching, retry: () => void refetch() }}
    />
  )
}

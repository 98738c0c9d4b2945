import { useQuery } from '@tanstack/react-query'
import { EventsTab } from '../../features/events/admin/events-tab'
import { speakersQuery } from '../../features/speakers/api'
import { useSite } from '../first-data'

/** The Events tab, with the speakers whom its form chooses from. */
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

import { useQuery } from '@tanstack/react-query'
import type { EventSeries } from '../../../api/types'
import { eventsQuery, pageSeriesQuery } from '../api'

/** A series by the last part of its path; `isMissing` once it is certain that it does not exist. */
export function useSeries(slug: string) {
  const path = `/series/${slug}`
  const { data: ofPage } = useQuery(pageSeriesQuery())
  const initial = ofPage?.path === path ? ofPage : undefined
  const list = useQuery({ ...eventsQuery({ series: slug }), enabled: !initial })
  const events = list.data?.filter(({ seriesPosition }) => seriesPosition?.path === path)
  const fetched: EventSeries | undefined = events?.[0] && {
    name: events[0].series ?? '',
    path,
    events,
  }

  return {
    series: fetched ?? initial,
    isMissing: !initial && !fetched && !list.isFetching && !list.isPending,
    isOffline: !initial && list.fetchStatus === 'paused',
    hasFailed: !initial && list.isError && !list.isFetching,
    retry: () => void list.refetch(),
  }
}

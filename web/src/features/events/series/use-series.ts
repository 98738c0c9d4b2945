import { useQuery } from '@tanstack/react-query'
import type { EventSeries } from '../../../api/types'
import { allEventsQuery, pageSeriesQuery } from '../api'

/** A series by the path of its page; `isMissing` once it is certain that it does not exist. */
export function useSeries(path: string) {
  const { data: ofPage } = useQuery(pageSeriesQuery())
  const initial = ofPage?.path === path ? ofPage : undefined
  const all = useQuery({ ...allEventsQuery(), enabled: !initial })
  const events = all.data?.filter(({ seriesPlace }) => seriesPlace?.path === path)
  const fetched: EventSeries | undefined = events?.[0] && {
    name: events[0].series ?? '',
    path,
    events,
  }

  return {
    series: fetched ?? initial,
    isMissing: !initial && !fetched && !all.isFetching && !all.isPending,
    isOffline: !initial && all.fetchStatus === 'paused',
    hasFailed: !initial && all.isError && !all.isFetching,
    retry: () => void all.refetch(),
  }
}

import { useMatch } from 'react-router-dom'
import type { EventSeries } from '../../api/types'
import { PageHeader } from '../../components/headers'
import { SiteLink } from '../../components/links'
import { LoadError } from '../../features/events/load-error'
import { SeriesEvents, useSeries } from '../../features/events/series/series-page'
import styles from '../../features/events/series/series-page.module.css'
import { SubscribeMenuLink } from '../../features/subscriptions/subscribe-menu-link'
import { useSite } from '../initial-data'
import { useDocumentTitle, useFocusOnceLoaded } from '../navigation-effects'
import { paths } from '../paths'
import { NotFoundRoute } from './not-found-route'

/** The page of a series, found by the slug in the URL. */
export function SeriesRoute() {
  const slug = useMatch(paths.series)?.params.series ?? ''
  const { series, isMissing, isOffline, hasFailed, retry } = useSeries(slug)

  if (series) return <LoadedSeries key={series.path} series={series} />
  if (isOffline || hasFailed) {
    return (
      <div className="wrap">
        <LoadError isOffline={isOffline} onRetry={retry} />
      </div>
    )
  }
  if (isMissing) return <NotFoundRoute />
  return (
    <div className={styles.loading} aria-busy="true">
      <p className="visually-hidden">Loading the series...</p>
    </div>
  )
}

function LoadedSeries({ series }: { series: EventSeries }) {
  const { baseUrl, name } = useSite()
  const { events } = series
  useDocumentTitle(series.name)
  useFocusOnceLoaded()
  return (
    <>
      <PageHeader title={series.name}>
        <p>
          {events.length === 1 ? 'A series with 1 event' : `A series of ${events.length} events`}
        </p>
      </PageHeader>
      <div className={styles.root}>
        <div className="wrap">
          <div className={styles.tools}>
            <SubscribeMenuLink baseUrl={baseUrl} siteName={name} series={series} />
          </div>
          <SeriesEvents events={events} />
          <p className={styles.back}>
            <SiteLink to={paths.calendar}>Back to the calendar</SiteLink>
          </p>
        </div>
      </div>
    </>
  )
}

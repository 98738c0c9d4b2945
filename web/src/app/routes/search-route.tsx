import { useSearchParams } from 'react-router-dom'
import { PageHeader } from '../../components/headers'
import { resultsQueryString } from '../../features/events/search/api'
import { SearchPage } from '../../features/events/search/search-page'
import { classNames } from '../../lib/class-names'
import { useDocumentTitle } from '../navigation-effects'
import { paths } from '../paths'
import styles from './calendar-route.module.css'

/** The search for events, with its query and page in the URL: `/search?q=december&page=2`. */
export function SearchRoute() {
  const [parameters] = useSearchParams()
  const page = Number(parameters.get('page') ?? 1)
  useDocumentTitle('Search events')

  return (
    <>
      <PageHeader title="Search events" />
      <section className={styles.root} aria-label="Search">
        <div className={classNames('wrap', styles.results)}>
          <SearchPage
            query={parameters.get('q') ?? ''}
            page={Number.isInteger(page) && page > 0 ? page : 1}
            hrefOf={searchUrl}
            calendarHref={paths.calendar}
          />
        </div>
      </section>
    </>
  )
}

/** The URL of the search page for a query. */
function searchUrl(query: string, page = 1): string {
  return paths.search + resultsQueryString(query, page)
}

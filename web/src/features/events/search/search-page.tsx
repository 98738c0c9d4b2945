import { useLayoutEffect, useRef } from 'react'
import { NavigationType, useNavigate, useNavigationType } from 'react-router-dom'
import { SiteLink } from '../../../components/links'
import { Button, buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { LoadError } from '../load-error'
import { pageSize, resultsQueryString, useSearch } from './api'
import { SearchLink, SearchSummary } from './search-result'
import styles from './search.module.css'

interface SearchPageProps {
  query: string
  /** From 1. */
  page: number
  /** The URL of a page of results for a query. */
  hrefOf: (query: string, page?: number) => string
  /** The calendar, for visitors whose search finds nothing. */
  calendarHref: string
}

/** A form to search events, and the events found. It works without scripts. */
export function SearchPage({ query, page, hrefOf, calendarHref }: SearchPageProps) {
  const navigate = useNavigate()
  const { field, heading } = useNavigationWithin(query, page)
  const hasQuery = query.trim() !== ''
  const { found, hasFailed } = useSearch(resultsQueryString(query, page), hasQuery)
  const data = hasQuery && !hasFailed ? found.data : undefined
  const count = data?.count ?? 0
  const first = (page - 1) * pageSize
  const pages = Math.ceil(count / pageSize)
  const Summary = hasQuery ? ('h2' as const) : ('p' as const)
  const pageLink = (to: number, label: string) =>
    to >= 1 && (to - 1) * pageSize < count && to !== page ? (
      <SiteLink className={buttonClass({ size: 'small' })} to={hrefOf(query, to)}>
        {label}
      </SiteLink>
    ) : null

  return (
    <>
      <form
        className={styles.form}
        role="search"
        action={hrefOf('').split('?')[0]}
        onSubmit={(event) => {
          event.preventDefault()
          const text = new FormData(event.currentTarget).get('q')
          navigate(hrefOf(typeof text === 'string' ? text : ''))
        }}
      >
        <Icon name="search" />
        <input
          ref={field}
          className={styles.field}
          type="search"
          name="q"
          aria-label="Search events"
          placeholder="Title, speaker, city, type or date"
          autoComplete="off"
          enterKeyHint="search"
          maxLength={200}
          defaultValue={query}
        />
        <Button type="submit" variant="primary" size="small">
          Search
        </Button>
      </form>
      <div className={styles.note} role="status">
        <Summary ref={heading} className={styles.summary} tabIndex={-1}>
          <SearchSummary
            query={query}
            count={found.isPlaceholderData ? undefined : data?.count}
            isLoading={!hasFailed}
          />
          {1 < page && page <= pages && !found.isPlaceholderData && `, page ${page} of ${pages}`}
        </Summary>
      </div>
      {hasQuery && hasFailed && !found.isFetching && (
        <LoadError
          isOffline={found.fetchStatus === 'paused'}
          onRetry={() => void found.refetch()}
        />
      )}
      {data?.count === 0 && !found.isPlaceholderData && (
        <p className={styles.pages}>
          Try fewer or other words.
          <SiteLink className={buttonClass({ size: 'small' })} to={calendarHref}>
            All events in the calendar
          </SiteLink>
        </p>
      )}
      {count > 0 && page > pages && (
        <p className={styles.pages}>
          This page has no events.
          <SiteLink className={buttonClass({ size: 'small' })} to={hrefOf(query)}>
            First page
          </SiteLink>
        </p>
      )}
      <ol className={styles.list} start={first + 1}>
        {data?.events.map((entry) => (
          <li key={entry.event.id}>
            <SearchLink entry={entry} words={data.marked} />
          </li>
        ))}
      </ol>
      {count > pageSize && page <= pages && (
        <nav className={styles.pages} aria-label="Pages of results">
          {pageLink(page - 1, 'Previous page')}
          <span>
            Page {page} of {pages}
          </span>
          {pageLink(page + 1, 'Next page')}
        </nav>
      )}
    </>
  )
}

/**
 * Does on a navigation between searches what a page load does: another page of results begins at their heading, which has
 * the focus, and on Back and Forward the field has the query of the URL. A search leaves the focus in the field.
 */
function useNavigationWithin(query: string, page: number) {
  const navigation = useNavigationType()
  const field = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef({ query, page })

  useLayoutEffect(() => {
    const { query: lastQuery, page: lastPage } = last.current
    last.current = { query, page }
    if (navigation === NavigationType.Pop) {
      if (query !== lastQuery && field.current) field.current.value = query
    } else if (page !== lastPage && query === lastQuery) {
      heading.current?.scrollIntoView({ behavior: 'instant' })
      heading.current?.focus({ preventScroll: true })
    }
  }, [query, page, navigation])

  return { field, heading }
}

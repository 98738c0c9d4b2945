import { useNavigate } from 'react-router-dom'
import { SiteLink } from '../../../components/links'
import { Button, buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { LoadError } from '../load-error'
import { pageSize, searchString, useSearch } from './api'
import { SearchLink, SearchSummary } from './search-result'
import styles from './search.module.css'

interface SearchPageProps {
  query: string
  /** From 1. */
  page: number
  /** The address of a page of results for a query. */
  hrefOf: (query: string, page?: number) => string
}

/** A form to search events, and the events found. It works without scripts. */
export function SearchPage({ query, page, hrefOf }: SearchPageProps) {
  const navigate = useNavigate()
  const hasQuery = query.trim() !== ''
  const { found, hasFailed } = useSearch(searchString(query, page), hasQuery)
  const data = hasQuery && !hasFailed ? found.data : undefined
  const count = data?.count ?? 0
  const first = (page - 1) * pageSize
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
          key={query}
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
      <p className={styles.note} role="status">
        <SearchSummary
          query={query}
          count={found.isPlaceholderData ? undefined : data?.count}
          isLoading={!hasFailed}
        />
      </p>
      {hasQuery && hasFailed && !found.isFetching && (
        <LoadError
          isOffline={found.fetchStatus === 'paused'}
          onRetry={() => void found.refetch()}
        />
      )}
      <ol className={styles.list} start={first + 1}>
        {data?.events.map((entry) => (
          <li key={entry.event.id}>
            <SearchLink entry={entry} words={data.marked} />
          </li>
        ))}
      </ol>
      {count > pageSize && (
        <nav className={styles.pages} aria-label="Pages of results">
          {pageLink(page - 1, 'Previous page')}
          <span>
            Page {page} of {Math.ceil(count / pageSize)}
          </span>
          {pageLink(page + 1, 'Next page')}
        </nav>
      )}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { SiteLink } from '../../../components/links'
import { Button, buttonClass } from '../../../components/ui/button'
import { Icon } from '../../../components/ui/icon'
import { useMinute } from '../../../lib/hydration'
import { allEventsQuery, foundEventsQuery } from '../api'
import { LoadError } from '../load-error'
import { findEvents, searchIndex } from './search-index'
import { SearchLink, SearchSummary } from './search-result'
import styles from './search.module.css'

/** The number of results on a page. */
const pageSize = 50

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
  const { data: found } = useQuery(foundEventsQuery(query))
  const all = useQuery({ ...allEventsQuery(), enabled: hasQuery && !found })
  const events = all.data ?? found
  const now = useMinute()
  const { entries, marked } = useMemo(
    () => findEvents(searchIndex(events ?? [], now), query),
    [events, now, query],
  )
  const first = (page - 1) * pageSize
  const pageLink = (to: number, label: string) =>
    to >= 1 && (to - 1) * pageSize < entries.length && to !== page ? (
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
        <SearchSummary query={query} count={events && entries.length} isLoading={all.isFetching} />
      </p>
      {hasQuery && !events && !all.isFetching && (
        <LoadError isOffline={all.fetchStatus === 'paused'} onRetry={() => void all.refetch()} />
      )}
      <ol className={styles.list} start={first + 1}>
        {entries.slice(first, first + pageSize).map((entry) => (
          <li key={entry.event.id}>
            <SearchLink entry={entry} words={marked} />
          </li>
        ))}
      </ol>
      {entries.length > pageSize && (
        <nav className={styles.pages} aria-label="Pages of results">
          {pageLink(page - 1, 'Previous page')}
          <span>
            Page {page} of {Math.ceil(entries.length / pageSize)}
          </span>
          {pageLink(page + 1, 'Next page')}
        </nav>
      )}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../../components/ui/button'
import { Dialog } from '../../../components/ui/dialog'
import { Icon } from '../../../components/ui/icon'
import { useMinute } from '../../../lib/hydration'
import { allEventsQuery } from '../api'
import { LoadError } from '../load-error'
import { findEvents, searchIndex } from './search-index'
import { SearchOption, SearchSummary } from './search-result'
import styles from './search.module.css'

/** The number of results rendered at first, and added on the way to the end of the list. */
const step = 50

/** Searches upcoming and past events while typing. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const [limit, setLimit] = useState(step)
  const now = useMinute()
  const { data, isError, isFetching, fetchStatus, refetch } = useQuery(allEventsQuery())
  const index = useMemo(() => data && searchIndex(data, now), [data, now])
  const { entries: matches, marked } = useMemo(
    () => (index ? findEvents(index, query) : { entries: [], marked: [] }),
    [index, query],
  )
  const shown = matches.slice(0, limit)
  const hasQuery = query.trim() !== ''
  const active = shown.length > 0 ? `${id}-${Math.min(chosen, shown.length - 1)}` : undefined

  useLayoutEffect(() => {
    field.current?.focus()
  }, [])
  useEffect(() => {
    if (active) document.getElementById(active)?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const go = (at: number) => {
    const entry = shown[at]
    if (!entry) return
    onClose()
    navigate(entry.event.path)
  }
  const type = (text: string) => {
    setQuery(text)
    setChosen(0)
    setLimit(step)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method may use Enter and the arrow keys.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && query !== '') type('')
    else if (event.key === 'ArrowDown') {
      setChosen((chosen + 1) % Math.max(matches.length, 1))
      if (chosen + 1 === shown.length) setLimit(limit + step)
    } else if (event.key === 'ArrowUp') {
      setChosen((chosen - 1 + shown.length) % Math.max(shown.length, 1))
    } else if (event.key === 'Enter') go(Math.min(chosen, shown.length - 1))
    else return
    event.preventDefault()
  }

  return (
    <Dialog headingId={`${id}-heading`} className={styles.root} onClose={onClose}>
      <h2 className="visually-hidden" id={`${id}-heading`} tabIndex={-1}>
        Search events
      </h2>
      <div className={styles.bar}>
        <Icon name="search" />
        <input
          ref={field}
          className={styles.field}
          type="text"
          role="combobox"
          aria-label="Search events"
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active}
          aria-describedby={`${id}-hint`}
          autoComplete="off"
          enterKeyHint="go"
          placeholder="Title, speaker, city, type or date"
          value={query}
          onChange={(event) => {
            type(event.target.value)
          }}
          onKeyDown={onKeyDown}
        />
        <Button variant="ghost" size="small" onClick={onClose}>
          Close
        </Button>
      </div>
      <p className={matches.length > 0 ? styles.count : 'visually-hidden'} role="status">
        {hasQuery && data && (
          <SearchSummary query={query} count={matches.length} isLoading={false} />
        )}
      </p>
      <div
        className={styles.results}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          const isNearEnd = scrollTop + 2 * clientHeight > scrollHeight
          if (isNearEnd && limit < matches.length) setLimit(limit + step)
        }}
      >
        <div id={`${id}-list`} role="listbox" aria-label="Events found">
          {shown.map((entry, at) => (
            <SearchOption
              key={entry.event.id}
              id={`${id}-${at}`}
              entry={entry}
              words={marked}
              isChosen={at === Math.min(chosen, shown.length - 1)}
              onPoint={() => {
                setChosen(at)
              }}
              onChoose={() => {
                go(at)
              }}
            />
          ))}
        </div>
        {!data && (isError || fetchStatus === 'paused') && !isFetching ? (
          <LoadError isOffline={fetchStatus === 'paused'} onRetry={() => void refetch()} />
        ) : (
          shown.length === 0 && (
            <p className={styles.note} id={`${id}-hint`}>
              <SearchSummary query={query} count={data && 0} isLoading />
            </p>
          )
        )}
      </div>
    </Dialog>
  )
}

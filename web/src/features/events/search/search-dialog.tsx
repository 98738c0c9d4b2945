import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../../components/ui/button'
import { Dialog } from '../../../components/ui/dialog'
import { Icon } from '../../../components/ui/icon'
import { useDebounced } from '../../../lib/use-debounced'
import { LoadError } from '../load-error'
import { pageSize, resultsQueryString, useSearch } from './api'
import { SearchOption, SearchSummary } from './search-result'
import styles from './search.module.css'

/** How long a visitor pauses before the typed query is sent, in milliseconds. */
const pause = 120

/** Searches upcoming and past events while typing. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const [limit, setLimit] = useState(pageSize)
  /** Whether Enter was pressed before the results of the query were known. */
  const [isEntered, setIsEntered] = useState(false)
  const typed = query.trim()
  const sent = useDebounced(typed, pause)
  const { found, hasFailed } = useSearch(
    `${resultsQueryString(sent)}${limit > pageSize ? `&limit=${limit}` : ''}`,
    sent !== '',
  )
  const data = typed !== '' && !hasFailed ? found.data : undefined
  const shown = data?.events ?? []
  const isCurrent = data !== undefined && typed === sent && !found.isPlaceholderData
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
  const goOnceKnown = useEffectEvent(() => {
    if (isEntered && isCurrent) go(0)
  })
  useEffect(() => {
    goOnceKnown()
  }, [isEntered, isCurrent])
  const type = (text: string) => {
    setQuery(text)
    setChosen(0)
    setLimit(pageSize)
    setIsEntered(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method may use Enter and the arrow keys.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && query !== '') type('')
    else if (event.key === 'ArrowDown') {
      const count = data?.count ?? 0
      // The events after those shown are chosen when they are loaded.
      setChosen((chosen + 1) % Math.max(count, 1))
      if (chosen + 1 === shown.length && shown.length < count) setLimit(limit + pageSize)
    } else if (event.key === 'ArrowUp') {
      setChosen((chosen - 1 + shown.length) % Math.max(shown.length, 1))
    } else if (event.key === 'Enter') {
      if (isCurrent || chosen > 0) go(Math.min(chosen, shown.length - 1))
      else setIsEntered(typed !== '')
    } else return
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
      <p className={shown.length > 0 ? styles.count : 'visually-hidden'} role="status">
        {data && (isCurrent || shown.length > 0) && (
          <SearchSummary query={query} count={data.count} isLoading={false} />
        )}
      </p>
      {/* Focusable, so that the keyboard can scroll it. */}
      <div
        className={styles.results}
        role="group"
        aria-label="Results"
        tabIndex={shown.length > 0 ? 0 : undefined}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          const isNearEnd = scrollTop + 2 * clientHeight > scrollHeight
          if (isNearEnd && isCurrent && limit < data.count) setLimit(limit + pageSize)
        }}
      >
        <div id={`${id}-list`} role="listbox" aria-label="Events found">
          {shown.map((entry, at) => (
            <SearchOption
              key={entry.event.id}
              id={`${id}-${at}`}
              entry={entry}
              words={data?.marked ?? []}
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
        {typed !== '' && hasFailed && !found.isFetching ? (
          <LoadError
            isOffline={found.fetchStatus === 'paused'}
            onRetry={() => void found.refetch()}
          />
        ) : (
          shown.length === 0 && (
            <p className={styles.note} id={`${id}-hint`}>
              <SearchSummary query={query} count={isCurrent ? 0 : undefined} isLoading />
            </p>
          )
        )}
      </div>
    </Dialog>
  )
}

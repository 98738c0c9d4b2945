import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { type StatusFilter, statusFilters, type Search } from './event-filter'

/** Delay after the last key until the URL is updated, in milliseconds; browsers limit updates. */
const updateDelay = 300

/** The filter and the page of the list, both in the URL, so that links and reloads retain them. */
export function useEventFilter() {
  const [params, setParams] = useSearchParams()
  const inAddress = params.get('q') ?? ''
  const [text, setText] = useState(inAddress)
  const status = params.get('when')

  const put = (changes: Record<string, string | null>) => {
    setParams(
      (current) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value) current.set(name, value)
          else current.delete(name)
        }
        return current
      },
      { replace: true },
    )
  }

  // Reads the state when the timer fires: the search may have been cleared since.
  const updateAddress = useEffectEvent(() => {
    if (text !== inAddress) put({ q: text, page: null })
  })
  useEffect(() => {
    const timer = setTimeout(updateAddress, updateDelay)
    return () => {
      clearTimeout(timer)
    }
  }, [text])

  const search: Search = {
    text,
    type: params.get('type'),
    status: statusFilters.find((valid) => valid === status) ?? null,
  }
  const page = text === inAddress ? Number(params.get('page') ?? 1) : 1

  return {
    search,
    isSearching: text.trim() !== '' || search.type !== null || search.status !== null,
    page: Number.isInteger(page) ? page : 1,
    setText,
    setType: (type: string | null) => {
      put({ type, page: null })
    },
    setStatus: (when: StatusFilter | null) => {
      put({ when, page: null })
    },
    setPage: (next: number) => {
      put({ page: next > 1 ? String(next) : null })
    },
    /** Shows all events again. */
    clear: (next = 1) => {
      setText('')
      put({ q: null, type: null, when: null, page: next > 1 ? String(next) : null })
    },
  }
}

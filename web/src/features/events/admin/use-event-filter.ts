import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import {
  type PortalFilter,
  type Sort,
  sorts,
  type StatusFilter,
  statusFilters,
} from './event-filter'

/** Delay after the last key until the URL is updated, in milliseconds; browsers limit updates. */
const updateDelay = 300

/** The filter and the page of the list, both in the URL, so that links and reloads retain them. */
export function useEventFilter() {
  const [params, setParams] = useSearchParams()
  const urlText = params.get('q') ?? ''
  const [text, setText] = useState(urlText)
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

  // Reads the state when the timer fires: the text may have been cleared since.
  const updateUrl = useEffectEvent(() => {
    if (text !== urlText) put({ q: text, page: null })
  })
  useEffect(() => {
    const timer = setTimeout(updateUrl, updateDelay)
    return () => {
      clearTimeout(timer)
    }
  }, [text])

  const filter: PortalFilter = {
    text,
    type: params.get('type'),
    status: statusFilters.find((valid) => valid === status) ?? null,
    month: /^\d{4}-\d{2}$/.exec(params.get('month') ?? '')?.[0] ?? null,
  }
  const sort = sorts.find((valid) => valid === params.get('sort')) ?? 'upcoming'
  const page = text === urlText ? Number(params.get('page') ?? 1) : 1

  return {
    filter,
    sort,
    isFiltered:
      text.trim() !== '' || filter.type !== null || filter.status !== null || filter.month !== null,
    page: Number.isInteger(page) ? page : 1,
    setText,
    setType: (type: string | null) => {
      put({ type, page: null })
    },
    setStatus: (when: StatusFilter | null) => {
      put({ when, page: null })
    },
    setMonth: (month: string | null) => {
      put({ month, page: null })
    },
    setSort: (next: Sort) => {
      put({ sort: next === 'upcoming' ? null : next, page: null })
    },
    setPage: (next: number) => {
      put({ page: next > 1 ? String(next) : null })
    },
    /** Shows all events again. */
    clear: (next = 1) => {
      setText('')
      put({ q: null, type: null, when: null, month: null, page: next > 1 ? String(next) : null })
    },
  }
}

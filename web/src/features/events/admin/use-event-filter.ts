import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Period, periods, type Search } from './event-filter'

/** How long after the last key the address follows, in milliseconds; browsers limit such changes. */
const pause = 300

/** The filter and the page of the list, both in the address, so that reloads and links keep them. */
export function useEventFilter() {
  const [params, setParams] = useSearchParams()
  const inAddress = params.get('q') ?? ''
  const [text, setText] = useState(inAddress)
  const period = params.get('when')

  const put = (changes: Record<string, string | null>) => {
    setParams(
      (known) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value) known.set(name, value)
          else known.delete(name)
        }
        return known
      },
      { replace: true },
    )
  }

  // Asked when the time comes: meanwhile the search may have been cleared, or a type chosen.
  const follow = useEffectEvent(() => {
    if (text !== inAddress) put({ q: text, page: null })
  })
  useEffect(() => {
    const timer = setTimeout(follow, pause)
    return () => {
      clearTimeout(timer)
    }
  }, [text])

  const search: Search = {
    text,
    type: params.get('type'),
    period: periods.find((known) => known === period) ?? null,
  }
  const page = text === inAddress ? Number(params.get('page') ?? 1) : 1

  return {
    search,
    isSearching: text.trim() !== '' || search.type !== null || search.period !== null,
    page: Number.isInteger(page) ? page : 1,
    setText,
    setType: (type: string | null) => {
      put({ type, page: null })
    },
    setPeriod: (when: Period | null) => {
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

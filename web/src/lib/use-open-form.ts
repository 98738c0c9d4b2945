import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { dropUnsavedWork } from './leave-guard'

/** Marks history entries that were made by opening a form here: closing it goes back. */
const openedHere = { opened: 'form' } as const

/**
 * Which form of a tab is open: a new thing's, that of the thing with this id, or none. It is in the
 * address as `parameter` (`speaker=new`, `speaker=12`), so that Back closes it, and a reload or a
 * sign-in in between leads to it again. The buttons that open it carry `data-opens` with `new` or
 * the id: when the form closes, the focus goes back to the one that opened it.
 */
export function useOpenForm(parameter: string) {
  const { search, state } = useLocation() as { search: string; state: unknown }
  const navigate = useNavigate()
  const value = new URLSearchParams(search).get(parameter)
  const isClosing = useRef(false)

  useEffect(() => {
    isClosing.current = false
  }, [search])

  // The form's place is taken by the list again: the focus goes back to what opened the form.
  const last = useRef(value)
  useEffect(() => {
    const closed = value === null ? last.current : null
    last.current = value
    if (closed === null) return
    const opener = document.querySelector<HTMLElement>(`[data-opens="${CSS.escape(closed)}"]`)
    const place = opener ?? document.querySelector<HTMLElement>('main h1')
    place?.focus()
  }, [value])

  const searchWith = (value: string | null) => {
    const parameters = new URLSearchParams(search)
    if (value === null) parameters.delete(parameter)
    else parameters.set(parameter, value)
    return parameters.size > 0 ? `?${parameters.toString()}` : ''
  }
  return {
    isNew: value === 'new',
    editedId: value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null,
    openNew: () => {
      void navigate({ search: searchWith('new') }, { state: openedHere })
    },
    openEdit: (id: number) => {
      void navigate({ search: searchWith(String(id)) }, { state: openedHere })
    },
    /** Closes the form and discards unsaved input. */
    close: () => {
      if (isClosing.current) return
      isClosing.current = true
      dropUnsavedWork()
      const { opened } = (state ?? {}) as Partial<typeof openedHere>
      if (opened === openedHere.opened) void navigate(-1)
      else void navigate({ search: searchWith(null) }, { replace: true })
    },
  }
}

import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { discardUnsavedChanges } from './unsaved-changes'

/** The state of history entries that opening a form has added: closing the form goes back. */
const openedHere = { opened: 'form' } as const

/**
 * The form of a tab that is open: for a new item, for the item with an id, or none. It is in the
 * URL as `parameter` (`speaker=new`, `speaker=12`), so Back closes it, and a reload or a sign-in
 * returns to it. The buttons that open it have `data-opens` with `new` or the id: when the form
 * closes, the focus returns to that button.
 */
export function useOpenForm(parameter: string) {
  const { search, state } = useLocation() as { search: string; state: unknown }
  const navigate = useNavigate()
  const value = new URLSearchParams(search).get(parameter)
  const isClosing = useRef(false)

  useEffect(() => {
    isClosing.current = false
  }, [search])

  const last = useRef(value)
  useEffect(() => {
    const closed = value === null ? last.current : null
    last.current = value
    if (closed !== null) focusOpener(closed)
  }, [value])

  const queryStringWith = (value: string | null) => {
    const parameters = new URLSearchParams(search)
    if (value === null) parameters.delete(parameter)
    else parameters.set(parameter, value)
    return parameters.size > 0 ? `?${parameters.toString()}` : ''
  }
  const editedId = value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null
  const open = (value: string) => {
    // Until the form is rendered, a second click of a double-click reaches the button as well.
    if (new URLSearchParams(window.location.search).get(parameter) === value) return
    navigate({ search: queryStringWith(value) }, { state: openedHere })
  }
  return {
    isNew: value === 'new',
    editedId,
    /** Whether the URL has a value that can't be an id. */
    isUnknown: value !== null && value !== 'new' && editedId === null,
    openNew: () => {
      open('new')
    },
    openEdit: (id: number) => {
      open(String(id))
    },
    /** Closes the form and discards unsaved input. */
    close: () => {
      if (isClosing.current) return
      isClosing.current = true
      discardUnsavedChanges()
      const { opened } = (state ?? {}) as Partial<typeof openedHere>
      if (opened === openedHere.opened) navigate(-1)
      else navigate({ search: queryStringWith(null) }, { replace: true })
    },
  }
}

/** Focuses the button or link with `data-opens` that has opened something, or the heading without it. See also `restoreFocus`. */
export function focusOpener(opened: string): void {
  const opener = document.querySelector<HTMLElement>(`[data-opens="${CSS.escape(opened)}"]`)
  const target = opener ?? document.querySelector<HTMLElement>('main h1')
  target?.focus()
}

/**
 * The item being edited, in its latest version from the list. It is retained when the list loses it,
 * during a refetch or after another admin's deletion, so that the open form keeps its input. `id` is
 * null when no item is edited.
 */
export function useEditedItem<Item extends { id: number }>(
  id: number | null,
  list: readonly Item[] | undefined,
): Item | undefined {
  const [retained, setRetained] = useState<Item>()
  const listed = id === null ? undefined : list?.find((item) => item.id === id)
  if (listed && listed !== retained) setRetained(listed)
  return listed ?? (retained?.id === id ? retained : undefined)
}

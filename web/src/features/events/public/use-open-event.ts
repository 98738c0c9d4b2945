import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { CalendarEvent } from '../../../api/types'
import { showToast } from '../../../components/ui/toast-store'
import { useEvent } from '../use-event'

const parameter = 'event'
/** Marks history entries created by opening an event: closing it goes back. */
const openedHere = { opened: 'event' } as const

/**
 * The event whose dialog is open. It is in the URL, so that it can be shared and Back closes it. An
 * unknown id is removed from the URL, with a message.
 */
export function useOpenEvent() {
  const { search, hash, state } = useLocation() as { search: string; hash: string; state: unknown }
  const navigate = useNavigate()
  const requested = new URLSearchParams(search).get(parameter)
  const { event, isMissing } = useEvent(idIn(requested))
  const isClosing = useRef(false)

  useEffect(() => {
    isClosing.current = false
  }, [search])

  const isUnknown = requested !== null && (isMissing || idIn(requested) === null)
  useEffect(() => {
    if (!isUnknown) return
    showToast({ title: 'Event not found', description: 'It is no longer on the calendar.' })
    navigate({ search: queryStringWith(search, null) }, { replace: true })
  }, [isUnknown, navigate, search])

  return {
    event,
    open: ({ id }: CalendarEvent) => {
      // Going back to a URL with a hash, browsers scroll to its element and take the focus.
      if (hash) navigate({ search }, { replace: true, state })
      navigate({ search: queryStringWith(search, id) }, { state: openedHere })
    },
    close: () => {
      // A second Escape must not go back twice.
      if (isClosing.current) return
      isClosing.current = true
      if (wasOpenedHere(state)) navigate(-1)
      else navigate({ search: queryStringWith(search, null) }, { replace: true })
    },
  }
}

function idIn(value: string | null): number | null {
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null
}

function queryStringWith(queryString: string, id: number | null): string {
  const parameters = new URLSearchParams(queryString)
  if (id === null) parameters.delete(parameter)
  else parameters.set(parameter, String(id))
  return parameters.size > 0 ? `?${parameters.toString()}` : ''
}

function wasOpenedHere(state: unknown): boolean {
  return (state as Partial<typeof openedHere> | null)?.opened === openedHere.opened
}

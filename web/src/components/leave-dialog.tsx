import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  NavigationType,
  UNSAFE_LocationContext as LocationContext,
  useLocation,
  useNavigationType,
} from 'react-router'
import {
  resolveLeaveDialog,
  askBeforeLeaving,
  hasUnsavedWork,
  useHasUnsavedWork,
  useLeaveDialog,
} from '../lib/leave-guard'
import { ConfirmDialog } from './ui/confirm-dialog'

/**
 * Asks before unsaved work is left (`useLeaveGuard`), also by a link. Stands once in the portal's
 * frame; `BackGuard` stands around it.
 */
export function LeaveDialog() {
  useLinkGuard()
  if (!useLeaveDialog()) return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      cancel="Keep Editing"
      confirm="Leave"
      onConfirm={() => {
        resolveLeaveDialog(true)
      }}
      onCancel={() => {
        resolveLeaveDialog(false)
      }}
    >
      What you have typed here is not saved yet. If you leave, it is lost.
    </ConfirmDialog>
  )
}

/** Asks before a link is followed. */
function useLinkGuard() {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a')
      if (!link || !hasUnsavedWork() || !leadsAway(link, event)) return
      event.preventDefault()
      event.stopPropagation()
      askBeforeLeaving(() => {
        link.click()
      })
    }
    document.addEventListener('click', onClick, { capture: true })
    return () => {
      document.removeEventListener('click', onClick, { capture: true })
    }
  }, [])
}

/** A link within the page, to another tab of the browser or to a file leaves everything as it is. */
function leadsAway(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || link.target === '_blank'
  const isWithin = link.hash !== '' && link.pathname === location.pathname
  return link.href !== '' && !isElsewhere && !isWithin && !link.hasAttribute('download')
}

/**
 * Asks before Back or Forward leads away from unsaved work. The browser has gone there already when
 * it tells: what is rendered below stays where the work is, the browser is sent back to it, and the
 * step is repeated when the person agrees.
 */
export function BackGuard({ children }: { children: ReactNode }) {
  const live = useLocation()
  const navigationType = useNavigationType()
  const isWorking = useHasUnsavedWork()
  const [shown, setShown] = useState(live)
  const here = useRef<number | null>(null)

  const isElsewhere = live.key !== shown.key || live.search !== shown.search
  const isHeld = isElsewhere && isWorking && navigationType === NavigationType.Pop
  if (isElsewhere && !isHeld) setShown(live)

  useEffect(() => {
    const place = placeIn(window.history.state)
    if (!isHeld) {
      here.current = place
    } else if (place !== null && here.current !== null) {
      const step = place - here.current
      window.history.go(-step)
      askBeforeLeaving(() => {
        window.history.go(step)
      })
    }
  }, [isHeld, live])

  return (
    // The one way to show an earlier place: a listener of its own would hear of the step too late.
    <LocationContext value={{ location: shown, navigationType }}>{children}</LocationContext>
  )
}

/** The number that the router gives each entry of the history. */
function placeIn(state: unknown): number | null {
  const place = (state as { idx?: unknown } | null)?.idx
  return typeof place === 'number' ? place : null
}

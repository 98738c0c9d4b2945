import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import {
  answerLeaveQuestion,
  askBeforeLeaving,
  hasUnsavedWork,
  useLeaveQuestion,
} from '../lib/leave-guard'
import { ConfirmDialog } from './ui/confirm-dialog'

/**
 * Asks before unsaved work is left (`useLeaveGuard`), also where a link or the browser's Back leads
 * away from it. Stands once in the portal's frame.
 */
export function LeaveQuestion() {
  useLinkGuard()
  useBackGuard()
  if (!useLeaveQuestion()) return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      cancel="Keep Editing"
      confirm="Leave"
      onConfirm={() => {
        answerLeaveQuestion(true)
      }}
      onCancel={() => {
        answerLeaveQuestion(false)
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
 * Asks before Back or Forward. The browser has gone there already when it tells, so this goes back
 * to where the work is, unseen by the router, and repeats the step when the person agrees.
 */
function useBackGuard() {
  const location = useLocation()
  const here = useRef<number | null>(null)

  useEffect(() => {
    here.current = placeIn(window.history.state)
  }, [location])

  useEffect(() => {
    let isReturning = false
    const onPop = (event: PopStateEvent) => {
      if (isReturning) {
        isReturning = false
        event.stopImmediatePropagation()
        return
      }
      const there = placeIn(event.state)
      if (!hasUnsavedWork() || here.current === null || there === null) return
      const step = there - here.current
      if (step === 0) return
      event.stopImmediatePropagation()
      isReturning = true
      window.history.go(-step)
      askBeforeLeaving(() => {
        window.history.go(step)
      })
    }
    window.addEventListener('popstate', onPop, { capture: true })
    return () => {
      window.removeEventListener('popstate', onPop, { capture: true })
    }
  }, [])
}

/** The number that the router gives each entry of the history. */
function placeIn(state: unknown): number | null {
  const place = (state as { idx?: unknown } | null)?.idx
  return typeof place === 'number' ? place : null
}

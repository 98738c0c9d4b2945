import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  NavigationType,
  UNSAFE_LocationContext as LocationContext,
  useLocation,
  useNavigationType,
} from 'react-router-dom'
import {
  areUnsavedChangesStored,
  resolveLeaveDialog,
  confirmBeforeLeaving,
  hasUnsavedChanges,
  useHasRunningSave,
  useHasUnsavedChanges,
  useLeaveDialog,
} from '../lib/unsaved-changes'
import { ConfirmDialog } from './ui/confirm-dialog'

/**
 * Asks for confirmation before the user leaves with unsaved changes (`useUnsavedChanges`), also by a link. It
 * is rendered once, in the portal's layout, inside `BackNavigationGuard`.
 */
export function LeaveDialog() {
  useLinkGuard()
  const isOpen = useLeaveDialog()
  const isUnsaved = useHasUnsavedChanges()
  const isSaving = useHasRunningSave()
  useEffect(() => {
    // The save that was running has ended.
    if (isOpen && !isUnsaved) resolveLeaveDialog(false)
  }, [isOpen, isUnsaved])
  if (!isOpen) return null
  return (
    <ConfirmDialog
      title={isSaving ? 'Leave while saving?' : 'Leave without saving?'}
      cancel={isSaving ? 'Stay' : 'Keep Editing'}
      confirm="Leave"
      isDestructive={!isSaving}
      onConfirm={() => {
        resolveLeaveDialog(true)
      }}
      onCancel={() => {
        resolveLeaveDialog(false)
      }}
    >
      {isSaving
        ? 'Your changes are being saved. In the portal, a message tells you whether that worked.'
        : areUnsavedChangesStored()
          ? 'What you have typed here is not saved yet. This browser keeps it, and offers it to you when you come back.'
          : 'What you have typed here is not saved yet. If you leave, it is lost.'}
    </ConfirmDialog>
  )
}

/** Asks for confirmation before a link is followed. */
function useLinkGuard() {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a')
      if (!link || !hasUnsavedChanges() || !leavesPage(link, event)) return
      event.preventDefault()
      event.stopPropagation()
      confirmBeforeLeaving(() => {
        link.click()
      })
    }
    document.addEventListener('click', onClick, { capture: true })
    return () => {
      document.removeEventListener('click', onClick, { capture: true })
    }
  }, [])
}

/** Whether a click leaves the page: not within it, in a new tab or as a download. */
function leavesPage(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const isNewTab = event.ctrlKey || event.metaKey || event.shiftKey || link.target === '_blank'
  const isWithin = link.hash !== '' && link.pathname === location.pathname
  return link.href !== '' && !isNewTab && !isWithin && !link.hasAttribute('download')
}

/**
 * Asks for confirmation before Back or Forward discards unsaved changes. The browser reports such a step
 * after it has happened: the guard keeps rendering the previous location, undoes the step, and
 * repeats it when the user confirms.
 */
export function BackNavigationGuard({ children }: { children: ReactNode }) {
  const current = useLocation()
  const navigationType = useNavigationType()
  const isUnsaved = useHasUnsavedChanges()
  const [shown, setShown] = useState(current)
  const lastIndex = useRef<number | null>(null)

  const hasMoved = current.key !== shown.key || current.search !== shown.search
  const isHeld = hasMoved && isUnsaved && navigationType === NavigationType.Pop
  if (hasMoved && !isHeld) setShown(current)

  useEffect(() => {
    const index = historyIndexOf(window.history.state)
    if (!isHeld) {
      lastIndex.current = index
    } else if (index !== null && lastIndex.current !== null) {
      const step = index - lastIndex.current
      window.history.go(-step)
      confirmBeforeLeaving(() => {
        window.history.go(step)
      })
    }
  }, [isHeld, current])

  return (
    // A popstate listener would run after the router has rendered the new location.
    <LocationContext value={{ location: shown, navigationType }}>{children}</LocationContext>
  )
}

/** The index that the router stores in the state of each history entry. */
function historyIndexOf(state: unknown): number | null {
  const index = (state as { idx?: unknown } | null)?.idx
  return typeof index === 'number' ? index : null
}

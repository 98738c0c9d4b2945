import { useEffect, useSyncExternalStore } from 'react'

/** One entry per form with unsaved work. */
const unsavedWork = new Set<symbol>()
/** Runs when the user confirms leaving; null while the dialog is closed. */
let pendingLeave: (() => void) | null = null
const listeners = new Set<() => void>()

function setPendingLeave(leave: (() => void) | null) {
  pendingLeave = leave
  for (const listener of listeners) listener()
}

/** Makes the browser ask before a page with unsaved work is closed or reloaded. */
function preventUnload(event: BeforeUnloadEvent) {
  event.preventDefault()
}

function setUnsaved(work: symbol, isUnsaved: boolean) {
  if (isUnsaved) unsavedWork.add(work)
  else unsavedWork.delete(work)
  if (unsavedWork.size > 0) window.addEventListener('beforeunload', preventUnload)
  else window.removeEventListener('beforeunload', preventUnload)
  for (const listener of listeners) listener()
}

/** While `isUnsaved`, tabs, links, Back, closing and reloading ask for confirmation first. */
export function useLeaveGuard(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    const work = Symbol('unsaved work')
    setUnsaved(work, true)
    return () => {
      setUnsaved(work, false)
    }
  }, [isUnsaved])
}

/** Whether a form has unsaved work. */
export function hasUnsavedWork(): boolean {
  return unsavedWork.size > 0
}

/** Runs `leave` at once, or after the user has confirmed that unsaved work may be lost. */
export function askBeforeLeaving(leave: () => void): void {
  if (hasUnsavedWork()) setPendingLeave(leave)
  else leave()
}

/** Forgets all unsaved work, after it was saved or the user chose to discard it. */
export function dropUnsavedWork(): void {
  for (const work of [...unsavedWork]) setUnsaved(work, false)
}

/** Closes the leave dialog, and leaves if `isLeaving`, which discards the unsaved work. */
export function resolveLeaveDialog(isLeaving: boolean): void {
  const leave = pendingLeave
  setPendingLeave(null)
  if (!isLeaving) return
  dropUnsavedWork()
  leave?.()
}

/** Whether the leave dialog is open. */
export function useLeaveDialog(): boolean {
  return useSyncExternalStore(subscribe, () => pendingLeave !== null)
}

/** The same as `hasUnsavedWork`, as a hook. */
export function useHasUnsavedWork(): boolean {
  return useSyncExternalStore(subscribe, hasUnsavedWork)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

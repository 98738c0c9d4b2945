import { useEffect, useSyncExternalStore } from 'react'

/** One entry per form with unsaved changes. */
const unsavedChanges = new Set<symbol>()
/** Runs when the user confirms leaving; null while the dialog is closed. */
let pendingLeave: (() => void) | null = null
const listeners = new Set<() => void>()

function setPendingLeave(leave: (() => void) | null) {
  pendingLeave = leave
  for (const listener of listeners) listener()
}

/** Makes the browser ask before a page with unsaved changes is closed or reloaded. */
function preventUnload(event: BeforeUnloadEvent) {
  event.preventDefault()
}

function setUnsaved(form: symbol, isUnsaved: boolean) {
  if (isUnsaved) unsavedChanges.add(form)
  else unsavedChanges.delete(form)
  if (unsavedChanges.size > 0) window.addEventListener('beforeunload', preventUnload)
  else window.removeEventListener('beforeunload', preventUnload)
  for (const listener of listeners) listener()
}

/** While `isUnsaved`, tabs, links, Back, closing and reloading ask for confirmation first. */
export function useUnsavedChanges(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    const form = Symbol()
    setUnsaved(form, true)
    return () => {
      setUnsaved(form, false)
    }
  }, [isUnsaved])
}

/** Whether a form has unsaved changes. */
export function hasUnsavedChanges(): boolean {
  return unsavedChanges.size > 0
}

/** Runs `leave` at once, or after the user has confirmed that unsaved changes are discarded. */
export function confirmBeforeLeaving(leave: () => void): void {
  if (hasUnsavedChanges()) setPendingLeave(leave)
  else leave()
}

/** Discards all unsaved changes, after they were saved or when the user has confirmed it. */
export function discardUnsavedChanges(): void {
  for (const form of [...unsavedChanges]) setUnsaved(form, false)
}

/** Closes the leave dialog, and leaves if `isLeaving`, which discards the unsaved changes. */
export function resolveLeaveDialog(isLeaving: boolean): void {
  const leave = pendingLeave
  setPendingLeave(null)
  if (!isLeaving) return
  discardUnsavedChanges()
  leave?.()
}

/** Whether the leave dialog is open. */
export function useLeaveDialog(): boolean {
  return useSyncExternalStore(subscribe, () => pendingLeave !== null)
}

/** The same as `hasUnsavedChanges`, as a hook. */
export function useHasUnsavedChanges(): boolean {
  return useSyncExternalStore(subscribe, hasUnsavedChanges)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

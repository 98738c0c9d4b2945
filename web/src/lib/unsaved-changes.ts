import { useEffect, useSyncExternalStore } from 'react'

/** One entry per form with unsaved changes, with whether this browser stores them when it is left. */
const unsavedChanges = new Map<symbol, boolean>()
/** The forms whose save is running. */
const runningSaves = new Set<symbol>()
/** Runs when the user confirms leaving; null while the dialog is closed. */
let pendingLeave: (() => void) | null = null
const listeners = new Set<() => void>()

function setPendingLeave(leave: (() => void) | null) {
  pendingLeave = leave
  notify()
}

/** Makes the browser ask before a page with unsaved changes is closed or reloaded. */
function preventUnload(event: BeforeUnloadEvent) {
  event.preventDefault()
}

function setUnsaved(form: symbol, isUnsaved: boolean, isStored = false) {
  if (isUnsaved) unsavedChanges.set(form, isStored)
  else unsavedChanges.delete(form)
  if (unsavedChanges.size > 0) window.addEventListener('beforeunload', preventUnload)
  else window.removeEventListener('beforeunload', preventUnload)
  notify()
}

/**
 * While `isUnsaved`, tabs, links, Back, closing and reloading ask for confirmation first. `isStored`
 * tells whether this browser stores the changes.
 */
export function useUnsavedChanges(isUnsaved: boolean, isStored = false): void {
  useEffect(() => {
    if (!isUnsaved) return
    const form = Symbol()
    setUnsaved(form, true, isStored)
    return () => {
      setUnsaved(form, false)
    }
  }, [isUnsaved, isStored])
}

/** While `isSaving`, the confirmation tells that a save is running. */
export function useRunningSave(isSaving: boolean): void {
  useEffect(() => {
    if (!isSaving) return
    const form = Symbol()
    runningSaves.add(form)
    notify()
    return () => {
      runningSaves.delete(form)
      notify()
    }
  }, [isSaving])
}

/** Whether a form has unsaved changes. */
export function hasUnsavedChanges(): boolean {
  return unsavedChanges.size > 0
}

/** Whether this browser stores all unsaved changes. */
export function areUnsavedChangesStored(): boolean {
  return [...unsavedChanges.values()].every(Boolean)
}

/** Runs `leave` at once, or after the user has confirmed that unsaved changes are discarded. */
export function confirmBeforeLeaving(leave: () => void): void {
  if (hasUnsavedChanges()) setPendingLeave(leave)
  else leave()
}

/** Discards all unsaved changes, after they were saved or when the user has confirmed it. */
export function discardUnsavedChanges(): void {
  for (const form of [...unsavedChanges.keys()]) setUnsaved(form, false)
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

/** Whether the save of a form is running. */
export function useHasRunningSave(): boolean {
  return useSyncExternalStore(subscribe, () => runningSaves.size > 0)
}

/** The same as `hasUnsavedChanges`, as a hook. */
export function useHasUnsavedChanges(): boolean {
  return useSyncExternalStore(subscribe, hasUnsavedChanges)
}

function notify() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

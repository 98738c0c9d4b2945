import { useEffect, useSyncExternalStore } from 'react'

/** The forms with unsaved work. */
const works = new Set<symbol>()
/** Runs if the user confirms that they leave. */
let leaving: (() => void) | null = null
const listeners = new Set<() => void>()

function change(next: (() => void) | null) {
  leaving = next
  for (const listener of listeners) listener()
}

/** Makes the browser ask before a page with unsaved work is closed or reloaded. */
function warn(event: BeforeUnloadEvent) {
  event.preventDefault()
}

function note(work: symbol, isUnsaved: boolean) {
  if (isUnsaved) works.add(work)
  else works.delete(work)
  if (works.size > 0) window.addEventListener('beforeunload', warn)
  else window.removeEventListener('beforeunload', warn)
  for (const listener of listeners) listener()
}

/** While `isUnsaved`, tabs, links, Back, closing and reloading ask for confirmation first. */
export function useLeaveGuard(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    const work = Symbol('unsaved work')
    note(work, true)
    return () => {
      note(work, false)
    }
  }, [isUnsaved])
}

/** Whether a form has unsaved work. */
export function hasUnsavedWork(): boolean {
  return works.size > 0
}

/** Runs `leave` at once, or after the user has confirmed that unsaved work may be lost. */
export function askBeforeLeaving(leave: () => void): void {
  if (hasUnsavedWork()) change(leave)
  else leave()
}

/** Discards the marks of unsaved work: it is saved, or the user agreed to lose it. */
export function dropUnsavedWork(): void {
  for (const work of [...works]) note(work, false)
}

/** Closes the leave dialog: leaves, which loses the work, or stays. */
export function resolveLeaveDialog(isLeaving: boolean): void {
  const leave = leaving
  change(null)
  if (!isLeaving) return
  dropUnsavedWork()
  leave?.()
}

/** Whether the leave dialog is open. */
export function useLeaveDialog(): boolean {
  return useSyncExternalStore(subscribe, () => leaving !== null)
}

/** The same as `hasUnsavedWork`, for what is rendered. */
export function useHasUnsavedWork(): boolean {
  return useSyncExternalStore(subscribe, hasUnsavedWork)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

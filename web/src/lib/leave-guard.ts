import { useEffect, useSyncExternalStore } from 'react'

/** The forms with work that is not saved. */
const works = new Set<symbol>()
/** What will be done if the person who is being asked leaves. */
let leaving: (() => void) | null = null
const listeners = new Set<() => void>()

function change(next: (() => void) | null) {
  leaving = next
  for (const listener of listeners) listener()
}

/** Browsers ask in their own words before a page with unsaved work is closed or reloaded. */
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

/**
 * Guards what was typed while `isUnsaved`: nothing leads away from it unasked, neither tabs, links,
 * Back, nor closing or reloading the page.
 */
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

/** Whether something is typed that would be lost. */
export function hasUnsavedWork(): boolean {
  return works.size > 0
}

/** Does what leads away from the page's work: at once, or after the person has agreed. */
export function askBeforeLeaving(leave: () => void): void {
  if (hasUnsavedWork()) change(leave)
  else leave()
}

/** Lets all unsaved work go: it has been saved, or the person has agreed to lose it. */
export function dropUnsavedWork(): void {
  for (const work of [...works]) note(work, false)
}

/** Ends the question: by leaving, which loses the work, or by going on with it. */
export function answerLeaveQuestion(isLeaving: boolean): void {
  const leave = leaving
  change(null)
  if (!isLeaving) return
  dropUnsavedWork()
  leave?.()
}

/** Whether somebody is being asked. */
export function useLeaveQuestion(): boolean {
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

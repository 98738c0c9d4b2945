import { type ReactNode, useId, useLayoutEffect, useSyncExternalStore } from 'react'

/** How long a toast is shown, in milliseconds, unless it is hovered or focused (spec §8, §9). */
export const toastDuration = 3000

const storageKey = 'lectern.toast'

/** The content of a toast. A destructive one reports a failure (spec §8). */
export interface ToastContent {
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  /** A `ToastAction`, such as Undo. */
  action?: ReactNode
}

/** The toast on the screen; the id distinguishes toasts with the same content. */
export interface Toast extends ToastContent {
  id: number
  /** The time to show it in milliseconds, instead of the default. */
  remaining?: number
}

let current: Toast | null = null
let lastId = 0
/** The mounted toasters: that of the page, then those of dialogs in the order of their opening. */
const toasters: string[] = []
const listeners = new Set<() => void>()

function notify() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function show(toast: Toast | null) {
  current = toast
  notify()
}

/** Shows a toast and replaces the one on the screen (spec §9: one at a time). */
export function showToast(content: ToastContent & { remaining?: number }): void {
  lastId += 1
  show({ ...content, id: lastId })
}

/** Shows a toast that reports a failure (spec §8). */
export function showError(description: string): void {
  showToast({ title: 'Error', description, variant: 'destructive' })
}

/** Shows a toast that continues on the next page if a page load interrupts it. */
export function showToastAcrossPages(content: Omit<ToastContent, 'action'>): void {
  const shownAt = Date.now()
  showToast(content)
  const id = lastId
  const store = () => {
    const remaining = toastDuration - (Date.now() - shownAt)
    if (current?.id !== id || remaining <= 0) return
    try {
      sessionStorage.setItem(storageKey, JSON.stringify({ ...content, remaining }))
    } catch {
      // Without storage the toast does not continue.
    }
  }
  window.addEventListener('pagehide', store, { once: true })
}

/** Shows the toast that the previous page stored, once. */
export function resumeToast(): void {
  try {
    const stored = sessionStorage.getItem(storageKey)
    if (stored === null) return
    sessionStorage.removeItem(storageKey)
    showToast(JSON.parse(stored) as ToastContent)
  } catch {
    // Without storage there is nothing to resume.
  }
}

/** Removes the toast with this id, by default the current one. */
export function dismissToast(id = current?.id): void {
  if (current?.id === id) show(null)
}

/**
 * The toast on the screen if this toaster shows it: only the topmost does, because a modal dialog
 * makes everything outside of it inert, for assistive technology too.
 */
export function useToast(isInDialog: boolean): Toast | null {
  const id = useId()

  useLayoutEffect(() => {
    if (isInDialog) toasters.push(id)
    else toasters.unshift(id)
    notify()
    return () => {
      toasters.splice(toasters.indexOf(id), 1)
      notify()
    }
  }, [id, isInDialog])

  return useSyncExternalStore(
    subscribe,
    () => (toasters.at(-1) === id ? current : null),
    () => null,
  )
}

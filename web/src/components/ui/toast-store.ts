import { type ReactNode, useSyncExternalStore } from 'react'

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
const listeners = new Set<() => void>()

function show(toast: Toast | null) {
  current = toast
  for (const listener of listeners) listener()
}

/** Shows a toast and replaces the one on the screen (spec §9: one at a time). */
export function showToast(content: ToastContent & { remaining?: number }): void {
  lastId += 1
  show({ ...content, id: lastId })
}

/** Shows a toast that continues on the next page if a page load interrupts it. */
export function showToastAcrossPages(content: { title: string; description: string }): void {
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

/** The toast on the screen. */
export function useToast(): Toast | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
    () => null,
  )
}

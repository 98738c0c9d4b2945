import { type ReactNode, useSyncExternalStore } from 'react'

/** What a toast says. A destructive one tells of a failure (spec §8). */
export interface ToastContent {
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  /** What can be done about it while the toast stands: a `ToastAction`. */
  action?: ReactNode
}

/** The toast on the screen; each has its own number, so that a second alike one is a new one. */
export interface Toast extends ToastContent {
  id: number
}

let current: Toast | null = null
let lastId = 0
const listeners = new Set<() => void>()

function show(toast: Toast | null) {
  current = toast
  for (const listener of listeners) listener()
}

/** Shows a toast in place of the one on the screen: there is one at a time (spec §9). */
export function showToast(content: ToastContent): void {
  lastId += 1
  show({ ...content, id: lastId })
}

/** Takes the toast with this number off the screen, where it is still there. */
export function dismissToast(id: number): void {
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
  )
}

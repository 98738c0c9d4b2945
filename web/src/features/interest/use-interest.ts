import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError } from '../../api/client'
import type { Interest } from '../../api/types'
import { showError, showToast, type ToastContent } from '../../components/ui/toast-store'
import { type InterestAction, interestQuery, useChangeInterest } from './api'

/** The toasts after the success and the failure of each possible action (spec §8). */
export type InterestToasts = Partial<Record<InterestAction, { done: ToastContent; failed: string }>>

/** The interest that the server wrote into the page; it is `enabled` unless the API does not have it. */
export interface ServedInterest {
  initialData: Interest
  enabled?: boolean
}

/** This visitor's interest in an event, and how to change it (spec §4). */
export function useInterest(
  eventId: number,
  toasts: InterestToasts,
  served: ServedInterest | undefined,
) {
  const { data: interest } = useQuery({ ...interestQuery(eventId), ...served })
  const { change, isPending } = useChangeInterest(eventId)
  const button = useFocusAfter(isPending)

  return {
    count: interest?.count,
    isAttending: interest?.hasInterest ?? false,
    isPending,
    button,
    send: (action: InterestAction) => {
      change(
        action,
        () => {
          const done = toasts[action]?.done
          if (done) showToast(done)
        },
        (cause) => {
          // The event has ended since the page was opened: another attempt would fail, too.
          const isOver = cause instanceof ApiError && cause.status === 409
          const description = isOver ? cause.message : toasts[action]?.failed
          if (description) showError(description)
        },
      )
    },
  }
}

/** Restores the focus of a button that lost it by being disabled while busy. */
function useFocusAfter(isBusy: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasBusy = useRef(false)

  useEffect(() => {
    const { current } = button
    // The second press of a double click, on the disabled button, focuses what is around it.
    const hasLostFocus = document.activeElement?.contains(current)
    if (wasBusy.current && !isBusy && hasLostFocus) {
      // After an event, a visitor who no longer attends can't attend again.
      const target = current?.disabled ? current.form : current
      target?.focus()
    }
    wasBusy.current = isBusy
  }, [isBusy])

  return button
}

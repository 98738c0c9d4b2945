import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useClientValue } from '../../lib/first-render'
import { showToast, type ToastContent } from '../../components/ui/toast-store'
import { type InterestAction, interestQuery, useChangeInterest } from './api'
import { getVisitorId } from './visitor-id'

/** The toasts after each action and after a failure (spec §8). */
export type InterestToasts = Partial<Record<InterestAction, ToastContent>> & {
  failed: ToastContent
}

/** This visitor's interest in an event, and how to change it (spec §4). */
export function useInterest(eventId: number, toasts: InterestToasts) {
  const visitorId = useClientValue(getVisitorId, '')
  const { data: interest } = useQuery({
    ...interestQuery(eventId, visitorId),
    enabled: visitorId !== '',
  })
  const { change, isPending } = useChangeInterest(eventId, visitorId)
  const button = useFocusAfter(isPending)

  return {
    count: interest?.count,
    isAttending: interest?.hasInterest ?? false,
    isPending,
    button,
    send: (action: InterestAction) => {
      change(action, {
        onSuccess: () => {
          const toast = toasts[action]
          if (toast) showToast(toast)
        },
        onError: () => {
          showToast(toasts.failed)
        },
      })
    },
  }
}

/** Restores the focus of a button that lost it by being disabled while busy. */
function useFocusAfter(isBusy: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasBusy = useRef(false)

  useEffect(() => {
    const hasLostFocus =
      document.activeElement === document.body || document.activeElement === button.current
    if (wasBusy.current && !isBusy && hasLostFocus) button.current?.focus()
    wasBusy.current = isBusy
  }, [isBusy])

  return button
}

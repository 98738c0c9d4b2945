import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../components/ui/button'
import { Spinner } from '../../components/ui/spinner'
import { showToast, type ToastContent } from '../../components/ui/toast-store'
import { interestQuery, useSetInterest } from './api'
import { AttendingCount } from './attending-count'
import styles from './interest-toggle.module.css'
import { getVisitorId } from './visitor-id'

const toasts = {
  added: {
    title: 'Interest Indicated',
    description: 'Thank you for your interest in this event!',
  },
  removed: {
    title: 'Interest Removed',
    description: 'Your interest has been removed from this event.',
  },
  failed: {
    title: 'Error',
    description: 'Failed to update interest. Please try again.',
    variant: 'destructive',
  },
} satisfies Record<string, ToastContent>

/** Lets a visitor say that they plan to attend, and take it back, without signing in (spec §4). */
export function InterestToggle({ eventId }: { eventId: number }) {
  const [visitorId] = useState(getVisitorId)
  const { data: interest } = useQuery(interestQuery(eventId, visitorId))
  const { mutate, isPending } = useSetInterest(eventId, visitorId)
  const attending = interest?.hasInterest ?? false
  const button = useFocusAfter(isPending)

  const toggle = () => {
    mutate(attending ? 'remove' : 'add', {
      onSuccess: () => {
        showToast(attending ? toasts.removed : toasts.added)
      },
      onError: () => {
        showToast(toasts.failed)
      },
    })
  }

  return (
    <div className={styles.root}>
      <Button
        ref={button}
        className={styles.toggle}
        look={attending ? 'line' : 'primary'}
        disabled={isPending}
        onClick={toggle}
      >
        {isPending && <Spinner />}
        {isPending ? 'Submitting...' : attending ? "Can't Attend" : 'Planning to Attend'}
      </Button>
      <AttendingCount count={interest?.count} />
    </div>
  )
}

/** Gives the focus back to a button that lost it by being disabled while it was busy. */
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

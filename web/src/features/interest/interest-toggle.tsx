import { type ReactNode, type RefObject } from 'react'
import { Button } from '../../components/ui/button'
import { Spinner } from '../../components/ui/spinner'
import { AttendingCount } from './attending-count'
import styles from './interest-toggle.module.css'
import { type InterestToasts, useInterest } from './use-interest'

const thanks = 'Thank you for your interest in this event!'

const toggleToasts: InterestToasts = {
  add: { title: 'Interest Indicated', description: thanks },
  remove: {
    title: 'Interest Removed',
    description: 'Your interest has been removed from this event.',
  },
  failed: {
    title: 'Error',
    description: 'Failed to update interest. Please try again.',
    variant: 'destructive',
  },
}

const indicationToasts: InterestToasts = {
  indicate: { title: 'Interest indicated', description: thanks },
  failed: {
    title: 'Error',
    description: 'Failed to indicate interest. Please try again.',
    variant: 'destructive',
  },
}

interface InterestToggleProps {
  eventId: number
  /** Other actions of a dialog's footer, between the count and the main action. */
  between?: ReactNode
}

/** Toggles whether the visitor plans to attend, without signing in (spec §4). */
export function InterestToggle({ eventId, between }: InterestToggleProps) {
  const { count, isAttending, isPending, button, send } = useInterest(eventId, toggleToasts)
  const toggle = (
    <InterestButton
      ref={button}
      isPending={isPending}
      isAttending={isAttending}
      onClick={() => {
        send(isAttending ? 'remove' : 'add')
      }}
    />
  )
  return between ? (
    <InterestFooter count={count} between={between}>
      {toggle}
    </InterestFooter>
  ) : (
    <div className={styles.root}>
      {toggle}
      <AttendingCount count={count} />
    </div>
  )
}

/** The interest controls of the public calendar (spec §2, /calendar). */
export function InterestIndication({ eventId, between }: Required<InterestToggleProps>) {
  const { count, isPending, button, send } = useInterest(eventId, indicationToasts)
  return (
    <InterestFooter count={count} between={between}>
      <InterestButton
        ref={button}
        isPending={isPending}
        onClick={() => {
          send('indicate')
        }}
      />
    </InterestFooter>
  )
}

interface InterestFooterProps {
  count: number | undefined
  between: ReactNode
  children: ReactNode
}

function InterestFooter({ count, between, children }: InterestFooterProps) {
  return (
    <>
      <div className={styles.first}>
        <AttendingCount count={count} />
      </div>
      {between}
      {children}
    </>
  )
}

interface InterestButtonProps {
  ref: RefObject<HTMLButtonElement | null>
  isPending: boolean
  isAttending?: boolean
  onClick: () => void
}

function InterestButton({ ref, isPending, isAttending = false, onClick }: InterestButtonProps) {
  return (
    <Button
      ref={ref}
      className={styles.toggle}
      variant={isAttending ? 'line' : 'primary'}
      disabled={isPending}
      onClick={(event) => {
        // The second click of a double click would undo the first.
        if (event.detail < 2) onClick()
      }}
    >
      {isPending && <Spinner />}
      {isPending ? 'Submitting...' : isAttending ? "Can't Attend" : 'Planning to Attend'}
    </Button>
  )
}

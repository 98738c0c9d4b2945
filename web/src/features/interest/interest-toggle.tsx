import { type ReactNode, useId } from 'react'
import { eventClosed, eventOver } from '../../api/generated/contract'
import type { CalendarEvent } from '../../api/types'
import { Button } from '../../components/ui/button'
import { Spinner } from '../../components/ui/loading'
import { AttendingCount } from './attending-count'
import styles from './interest-toggle.module.css'
import { type InterestToasts, type ServedInterest, useInterest } from './use-interest'

const thanks = 'Thank you for your interest in this event!'
const updateFailed = 'Failed to update interest. Please try again.'

const remove = {
  done: {
    title: 'Interest Removed',
    description: 'Your interest has been removed from this event.',
  },
  failed: updateFailed,
}

const toggleToasts: InterestToasts = {
  add: { done: { title: 'Interest Indicated', description: thanks }, failed: updateFailed },
  remove,
}

const calendarToasts: InterestToasts = {
  indicate: {
    done: { title: 'Interest indicated', description: thanks },
    failed: 'Failed to indicate interest. Please try again.',
  },
  remove,
}

interface InterestToggleProps {
  event: Pick<CalendarEvent, 'id' | 'path' | 'status'>
  /** Whether the event is over, cancelled or postponed: then visitors can be removed only. */
  isClosed: boolean
  /** The interest that the server wrote into the page, if it knows the visitor. */
  served?: ServedInterest | undefined
  /** The button of a dialog, which the footer has between the count and the main action. */
  closeButton?: ReactNode
}

/** Toggles whether the visitor plans to attend, without signing in (spec §4). */
export function InterestToggle(props: InterestToggleProps) {
  return <InterestForm {...props} add="add" toasts={toggleToasts} />
}

/** The toggle of the public calendar, with a request and toasts of its own (spec §7, §8). */
export function CalendarInterestToggle(props: InterestToggleProps) {
  return <InterestForm {...props} add="indicate" toasts={calendarToasts} />
}

interface InterestFormProps extends InterestToggleProps {
  add: 'add' | 'indicate'
  toasts: InterestToasts
}

/** A form that also works without scripts, when it leads to the attendance page. */
function InterestForm({ event, isClosed, served, closeButton, add, toasts }: InterestFormProps) {
  const { count, isAttending, isPending, button, send } = useInterest(event.id, toasts, served)
  const reasonId = useId()
  const isRefused = isClosed && !isAttending

  const toggle = (
    <Button
      ref={button}
      type="submit"
      name="action"
      value={isAttending ? 'remove' : 'add'}
      className={styles.toggle}
      variant={isAttending ? 'secondary' : 'primary'}
      disabled={isPending || isRefused}
      aria-describedby={isRefused ? reasonId : undefined}
      onClick={(click) => {
        // The second click of a double click would undo the first.
        if (click.detail > 1) click.preventDefault()
      }}
    >
      {isPending && <Spinner />}
      {isPending ? 'Submitting...' : isAttending ? "Can't Attend" : 'Planning to Attend'}
    </Button>
  )
  const reason = isRefused && (
    <p className={styles.reason} id={reasonId}>
      {eventClosed[event.status ?? 'published'] ?? eventOver}
    </p>
  )

  return (
    <form
      className={closeButton ? styles.footer : styles.root}
      method="post"
      tabIndex={-1}
      action={`${event.path}/attendance`}
      onSubmit={(submit) => {
        submit.preventDefault()
        send(isAttending ? 'remove' : add)
      }}
    >
      {closeButton ? (
        <>
          <div className={styles.first}>
            <AttendingCount count={count} />
            {reason}
          </div>
          {closeButton}
          {toggle}
        </>
      ) : (
        <>
          {toggle}
          <AttendingCount count={count} />
          {reason}
        </>
      )}
    </form>
  )
}
